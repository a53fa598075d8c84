/** A worker is terminated while its radio runs. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import { drainSequences, makeRadio, plan, until } from '../field.js';

if (isMainThread) {
  for (const paced of [true, false]) {
    const worker = new Worker(new URL(import.meta.url), { workerData: paced });
    await once(worker, 'message');
    assert.equal(await worker.terminate(), 1);
  }
} else {
  const { workerData } = await import('node:worker_threads');
  const radio = makeRadio({ paced: workerData, queueRecords: 100 });
  radio.start(plan(), () => {
    drainSequences(radio);
    radio.arm();
  });
  radio.arm();
  await until(() => radio.status().reads > 20, 'tags are read');
  parentPort?.postMessage('running');
  await new Promise(() => {});
}
