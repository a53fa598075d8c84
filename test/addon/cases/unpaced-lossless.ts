/** A radio that runs as fast as it can waits for its consumer: nothing is ever lost. */
import assert from 'node:assert/strict';
import { drainSequences, makeRadio, plan, sleep, stopAfter } from '../field.js';

for (const queueRecords of [1, 7, 300]) {
  const radio = makeRadio({ paced: false, queueRecords });
  radio.start(plan({ stop: stopAfter({ durationMs: 1500 }) }), () => {});
  const sequences: number[] = [];
  await sleep(20);
  while (radio.status().running) {
    sequences.push(...drainSequences(radio));
    await new Promise((resolve) => setImmediate(resolve));
  }
  sequences.push(...drainSequences(radio));
  const { reads, dropped } = radio.status();
  assert.equal(dropped, 0);
  assert(reads > 500);
  assert.deepEqual(
    sequences,
    Array.from({ length: reads }, (_, i) => i + 1),
  );
}
