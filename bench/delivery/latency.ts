/**
 * From the air time of a read to a subscriber of a broker, through both services as they run on a
 * reader. The time in an event is in whole milliseconds, rounded down: what is measured is up to
 * 1 ms more than what it was.
 */
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Accounts } from './accounts.js';
import type { Broker } from './broker.js';
import { EventCounter } from './event-counter.js';
import { cpuUs } from './process-figures.js';
import { BenchReader } from './reader.js';
import { mqttOptions } from './transports.js';

const SECONDS = 9;
/** A reader runs for months: its first seconds, with code that is not compiled yet, do not count. */
const WARM_UP_SECONDS = 2;
const TIMESTAMP = Buffer.from('"timestamp":"');
const TIMESTAMP_LENGTH = '2026-05-06T07:08:10.000+0000'.length;

export interface LatencyRun {
  readsPerSecond: number;
  p50: number;
  p99: number;
  p999: number;
  /** CPU time of both services over wall time. */
  cpuShare: number;
}

export async function latency(
  broker: Broker,
  readsPerSecond: number,
  accounts: Accounts,
  besideStalled = false,
): Promise<LatencyRun> {
  const reads = readsPerSecond * SECONDS;
  const spacingNs = 1e9 / readsPerSecond;
  const reader = await BenchReader.start({ reads, spacingNs, paced: true });
  const samples = new LatencySamples(reads);
  const counter = new EventCounter();
  const client = await broker.subscribe((payload) => {
    samples.take(payload);
    counter.take(payload);
  });
  // It takes what is posted to it, and never answers.
  const silent = createServer((socket) => socket.on('error', () => {})).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  try {
    const options = { URL: `http://127.0.0.1:${(silent.address() as AddressInfo).port}/` };
    const stalled = { name: 'stalled', type: 'httpPost', options };
    await reader.deliverTo([
      { name: 'latency', type: 'mqtt', options: mqttOptions(broker.port, 0) },
      ...(besideStalled ? [stalled] : []),
    ]);
    await reader.endpointsSay('connected', ([one]) => one?.state === 'connected');
    await reader.startReading();
    await sleep(WARM_UP_SECONDS * 1000);
    samples.clear();
    const busy = () => cpuUs(reader.radioPid) + cpuUs(reader.gatewayPid);
    const [cpu, started] = [busy(), performance.now()];
    // The services are looked at while reads come all the time.
    await sleep((SECONDS - WARM_UP_SECONDS - 0.5) * 1000);
    const cpuShare = (busy() - cpu) / 1000 / (performance.now() - started);
    await counter.until(reads);
    const lost = counter.received < reads;
    const beside = besideStalled ? ' beside a stalled one' : '';
    accounts.add(
      `latency at ${readsPerSecond} reads/s${beside}`,
      reads,
      counter,
      lost ? await reader.settledDropped() : 0,
    );
    return { readsPerSecond, ...samples.percentiles(), cpuShare };
  } finally {
    silent.close();
    await client.endAsync();
    await reader.stop();
  }
}

class LatencySamples {
  readonly #values: Float64Array;
  #count = 0;
  /** The wall clock as a number with a fraction, in step with the clock of the events. */
  readonly #origin = wallOrigin();
  #text = '';
  #textMs = 0;

  constructor(most: number) {
    this.#values = new Float64Array(most);
  }

  take(payload: Buffer): void {
    const nowMs = this.#origin + performance.now();
    const at = payload.indexOf(TIMESTAMP) + TIMESTAMP.length;
    const text = payload.toString('latin1', at, at + TIMESTAMP_LENGTH);
    if (text !== this.#text) {
      this.#text = text;
      this.#textMs = Date.parse(text);
    }
    this.#values[this.#count++] = nowMs - this.#textMs;
  }

  clear(): void {
    this.#count = 0;
  }

  percentiles(): { p50: number; p99: number; p999: number } {
    const sorted = this.#values.subarray(0, this.#count).sort();
    const at = (share: number) => sorted[Math.floor(sorted.length * share)] as number;
    return { p50: at(0.5), p99: at(0.99), p999: at(0.999) };
  }
}

/** What the wall clock says when performance.now() is 0, to a few microseconds. */
function wallOrigin(): number {
  const before = Date.now();
  let now = before;
  while (now === before) now = Date.now();
  return now - performance.now();
}
