/** The environment ends while a tag is looked for, with and without an inventory. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { request, withMemory } from '../access-request.js';
import { makeRadio, plan, sleep } from '../field.js';

const VAIN = request(99, { timeoutMs: 60_000 });
if (isMainThread) {
  for (const reads of [true, false]) {
    const worker = new Worker(new URL(import.meta.url), { workerData: reads });
    await once(worker, 'message');
    const from = performance.now();
    assert.equal(await worker.terminate(), 1);
    assert(performance.now() - from < 10_000);
  }
  const last = makeRadio(withMemory());
  last.accessTag(VAIN);
  await sleep(20);
  process.exit(0);
} else {
  const radio = makeRadio(withMemory());
  if (workerData) radio.start(plan(), () => {});
  radio.accessTag(VAIN);
  await sleep(20);
  parentPort?.postMessage('running');
  await new Promise(() => {});
}
