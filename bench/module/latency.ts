/** How long commands to a module take while the main thread is idle, and while it is busy. */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { loadAddon, type NativeMercuryEmulator } from '../../src/radio-control/addon/addon.js';
import { median } from '../measure.js';
import { fieldOf } from '../modes/run-mode.js';
import { SerialHost } from './serial-host.js';

const ROUNDS = 9;
const ANSWERS = 200;
/** Each takes some slices of the busy thread. */
const SERIALPORT_ANSWERS = 20;
const TAGS = 10;
/** The main thread gets nothing else done for so long at a time. */
const SLICE_MS = 20;

export interface Latency {
  p50: number;
  p99: number;
}

export interface Latencies {
  idle: Latency;
  busy: Latency;
  /** Of the serialport package, in the same busy main thread. */
  serialportBusy: Latency;
}

/** Milliseconds for one look at the module: temperature and antennas, five commands. */
export async function commandLatency(): Promise<Latencies> {
  const driver = await DriverThread.start();
  const serialport = await MainThreadSerialport.start();
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

/** Asks by the driver, from a thread of its own. */
class DriverThread {
  private constructor(private readonly worker: Worker) {}

  static async start(): Promise<DriverThread> {
    const worker = new Worker(new URL('./latency-worker.js', import.meta.url));
    await once(worker, 'message');
    return new DriverThread(worker);
  }

  async ask(): Promise<Latency> {
    this.worker.postMessage(ANSWERS);
    const [times] = (await once(this.worker, 'message')) as [number[]];
    return latencyOf(times);
  }

  async end(): Promise<void> {
    this.worker.postMessage(0);
    await once(this.worker, 'exit');
  }
}

/** Asks by the serialport package, which works in the main thread alone. */
class MainThreadSerialport {
  private constructor(
    private readonly emulator: NativeMercuryEmulator,
    private readonly host: SerialHost,
  ) {}

  static async start(): Promise<MainThreadSerialport> {
    const { MercuryEmulator } = loadAddon();
    const field = fieldOf(TAGS, 1, 0);
    const emulator = new MercuryEmulator({ ...field, profile: 'm7e', baudPacing: false });
    return new MainThreadSerialport(emulator, await SerialHost.open(emulator.path()));
  }

  async ask(): Promise<Latency> {
    const times: number[] = [];
    for (let i = 0; i < SERIALPORT_ANSWERS; i++) {
      const from = performance.now();
      await this.host.health();
      times.push(performance.now() - from);
    }
    return latencyOf(times);
  }

  async end(): Promise<void> {
    await this.host.close();
    this.emulator.close();
  }
}

function latencyOf(times: number[]): Latency {
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.floor((times.length - 1) * share)] as number;
  return { p50: at(0.5), p99: at(0.99) };
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
