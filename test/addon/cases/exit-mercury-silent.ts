/**
 * A line on which nobody answers: the look for a module ends when the radio is closed. An
 * environment that ends without that waits for it.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import { loadAddon } from '../../../src/radio-control/addon/addon.js';

/** Each open of it is a new pseudo-terminal without another end. */
const SILENT = '/dev/ptmx';

const { Radio } = loadAddon();
const radio = new Radio({ module: 'mercury', path: SILENT });
if (!isMainThread) {
  radio.open().catch(() => {});
  parentPort?.postMessage('opening');
  await new Promise(() => {});
}
const opening = assert.rejects(radio.open(), { code: 'ERR_RADIO' });
await sleep(20);
const from = performance.now();
radio.close();
await opening;
// A whole look takes almost four seconds.
assert(performance.now() - from < 2000, 'it did not wait for all of it');

const worker = new Worker(new URL(import.meta.url));
await once(worker, 'message');
assert.equal(await worker.terminate(), 1);

const last = new Radio({ module: 'mercury', path: SILENT });
last.open().catch(() => {});
await sleep(20);
process.exit(0);
