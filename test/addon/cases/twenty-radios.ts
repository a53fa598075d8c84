/** Twenty times: create, start, stop, collect. Some are collected without stop after their end. */
import assert from 'node:assert/strict';
import { drainSequences, makeRadio, plan, sleep, stopAfter, until } from '../field.js';

const { gc } = globalThis as { gc?: () => void };
assert(gc, 'run with --expose-gc');

async function one(i: number): Promise<void> {
  const radio = makeRadio({ paced: i % 2 === 0, seed: i });
  if (i % 3 === 0) {
    let ended = false;
    radio.start(plan({ stop: stopAfter({ durationMs: 20 }) }), () => {
      ended = true;
    });
    await until(() => {
      drainSequences(radio);
      return ended;
    }, 'it ends');
  } else {
    radio.start(plan(), () => {});
    await until(() => radio.status().reads > 0, 'it reads');
    await radio.stop();
  }
}

for (let i = 0; i < 20; i++) {
  await one(i);
  gc();
  await sleep(1);
}
makeRadio();
gc();
