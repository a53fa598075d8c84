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

export interface Latencies {
  idle: Latency;
  busy: Latency;
  /** Of the serialport package, beside the same busy main thread. */
  serialportBusy: Latency;
}

/** Milliseconds for one look at the module: temperature and antennas, five commands. */
export async function commandLatency(): Promise<Latencies> {
  const driver = await Asker.start('driver');
  const serialport = await Asker.start('serialport');
  const idle: Latency[] = [];
  const busy: Latency[] = [];
  const serialportBusy: Latency[] = [];
  await driver.ask();
  await serialport.ask();
  for (let round = 0; round < ROUNDS; round++) {
    idle.push(await driver.ask());
    busy.push(await besideBusyThread(driver.ask()));
    serialportBusy.push(await besideBusyThread(serialport.ask()));
  }
  await driver.end();
  await serialport.end();
  return { idle: medians(idle), busy: medians(busy), serialportBusy: medians(serialportBusy) };
}

/** A thread that asks a module of its own. */
class Asker {
  private constructor(private readonly worker: Worker) {}

  static async start(by: 'driver' | 'serialport'): Promise<Asker> {
    const file = new URL('./latency-worker.js', import.meta.url);
    const worker = new Worker(file, { workerData: by });
    await once(worker, 'message');
    return new Asker(worker);
  }

  async ask(): Promise<Latency> {
    this.worker.postMessage(ANSWERS);
    const [times] = (await once(this.worker, 'message')) as [number[]];
    times.sort((a, b) => a - b);
    const at = (share: number) => times[Math.floor((times.length - 1) * share)] as number;
    return { p50: at(0.5), p99: at(0.99) };
  }

  async end(): Promise<void> {
    this.worker.postMessage(0);
    await once(this.worker, 'exit');
  }
}

/** This thread gets nothing else done until then. */
async function besideBusyThread<Value>(work: Promise<Value>): Promise<Value> {
  let done = false;
  const result = work.finally(() => {
    done = true;
  });
  while (!done) {
    const until = performance.now() + SLICE_MS;
    while (performance.now() < until);
    await new Promise((resolve) => setImmediate(resolve));
  }
  return result;
}

function medians(turns: Latency[]): Latency {
  return {
    p50: median(turns.map(({ p50 }) => p50)),
    p99: median(turns.map(({ p99 }) => p99)),
  };
}
