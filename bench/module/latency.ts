/** How long commands to a module take while the main thread is idle, and while it is busy. */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { median } from '../measure.js';

const ROUNDS = 9;
const ANSWERS = 200;
/** The main thread gets nothing else done for so long at a time. */
const SLICE_MS = 20;

export interface Latency {
  p50: number;
  p99: number;
}

/** Milliseconds for one look at the module: temperature and antennas, five commands. */
export async function commandLatency(): Promise<{ idle: Latency; busy: Latency }> {
  const worker = new Worker(new URL('./latency-worker.js', import.meta.url));
  await once(worker, 'message');
  const turn = async (): Promise<Latency> => {
    worker.postMessage(ANSWERS);
    const [times] = (await once(worker, 'message')) as [number[]];
    times.sort((a, b) => a - b);
    const at = (share: number) => times[Math.floor((times.length - 1) * share)] as number;
    return { p50: at(0.5), p99: at(0.99) };
  };
  const busyTurn = async (): Promise<Latency> => {
    let done = false;
    const result = turn().finally(() => {
      done = true;
    });
    while (!done) {
      const until = performance.now() + SLICE_MS;
      while (performance.now() < until);
      await new Promise((resolve) => setImmediate(resolve));
    }
    return result;
  };
  const idle: Latency[] = [];
  const busy: Latency[] = [];
  await turn();
  for (let round = 0; round < ROUNDS; round++) {
    idle.push(await turn());
    busy.push(await busyTurn());
  }
  worker.postMessage(0);
  await once(worker, 'exit');
  return { idle: medians(idle), busy: medians(busy) };
}

function medians(turns: Latency[]): Latency {
  return {
    p50: median(turns.map(({ p50 }) => p50)),
    p99: median(turns.map(({ p99 }) => p99)),
  };
}
