/** A running radio that nobody holds goes on reading; a stopped one is collected. */
import assert from 'node:assert/strict';
import type { NativeRadio } from '../../../src/radio-control/addon/addon.js';
import { makeRadio, plan, sleep, until } from '../field.js';

const { gc } = globalThis as { gc?: () => void };
assert(gc, 'run with --expose-gc');

function startOne(): WeakRef<NativeRadio> {
  const radio = makeRadio();
  radio.start(plan(), () => {});
  return new WeakRef(radio);
}

async function collect(): Promise<void> {
  for (let i = 0; i < 5; i++) {
    await sleep(5);
    gc?.();
  }
}

const weak = startOne();
await collect();
const before = weak.deref()?.status().reads;
assert(before !== undefined, 'still there');
await sleep(50);
await until(() => (weak.deref()?.status().reads ?? 0) > before, 'it reads on');
await weak.deref()?.stop();
await until(() => {
  gc?.();
  return weak.deref() === undefined;
}, 'the stopped radio is collected');
