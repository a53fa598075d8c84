/** The addon works in the main thread and in two workers at once. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import { makeRadio, plan, runToEnd, stopAfter } from '../field.js';

const run = async () => {
  const radio = makeRadio({ paced: false });
  return (await runToEnd(radio, plan({ stop: stopAfter({ durationMs: 2000 }) }))).toString('hex');
};
if (isMainThread) {
  const workers = [1, 2].map(() => new Worker(new URL(import.meta.url)));
  const theirs = Promise.all(workers.map((worker) => once(worker, 'message')));
  const own = await run();
  assert(own.length > 0);
  for (const [records] of await theirs) assert.equal(records, own);
} else {
  parentPort?.postMessage(await run());
}
