/**
 * What the same Node.js takes on this machine to do nothing: to start, and to wake up. A reader that
 * sends messages every few milliseconds pays the second all the time, so both belong beside its figures.
 */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { median } from '../measure.js';

const run = promisify(execFile);

const STARTS = 5;
const WAKE_EVERY_MS = 5;
const WAKES_FOR_MS = 5000;
const WAKES = `
  let wakes = 0;
  const begin = process.cpuUsage();
  setInterval(() => wakes++, ${WAKE_EVERY_MS});
  setTimeout(() => {
    const { user, system } = process.cpuUsage(begin);
    console.log((user + system) / wakes);
    process.exit();
  }, ${WAKES_FOR_MS});`;

export interface Machine {
  /** From the start of a process that does nothing to its end. */
  nodeStartSeconds: number;
  /** Processor time of a process that a timer wakes for nothing, for each time. */
  wakeUs: number;
}

export async function machine(): Promise<Machine> {
  const starts: number[] = [];
  for (let i = 0; i < STARTS; i++) {
    const started = performance.now();
    await run(process.execPath, ['-e', '0']);
    starts.push((performance.now() - started) / 1000);
  }
  const { stdout } = await run(process.execPath, ['-e', WAKES]);
  return { nodeStartSeconds: median(starts), wakeUs: Number(stdout) };
}
