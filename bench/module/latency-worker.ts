/**
 * Asks an emulated module how it is, again and again, in a thread of its own: its main thread may
 * be busy meanwhile. Each message asks for so many answers; what comes back are their times in ms.
 */
import { parentPort } from 'node:worker_threads';
import { loadAddon } from '../../src/radio-control/addon/addon.js';
import { fieldOf } from '../modes/run-mode.js';

const TAGS = 10;
const { MercuryEmulator, Radio } = loadAddon();
const emulator = new MercuryEmulator({
  ...fieldOf(TAGS, 1, 0),
  profile: 'm7e',
  baudPacing: false,
});
const radio = new Radio({ module: 'mercury', path: emulator.path() });
await radio.open();

parentPort?.on('message', async (answers: number) => {
  if (answers === 0) {
    radio.close();
    emulator.close();
    parentPort?.close();
    return;
  }
  const times: number[] = [];
  for (let i = 0; i < answers; i++) {
    const from = performance.now();
    await radio.health();
    times.push(performance.now() - from);
  }
  parentPort?.postMessage(times);
});
parentPort?.postMessage('ready');
