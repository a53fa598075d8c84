/**
 * Reading beside requests: time from the air to a subscriber without a load and with two, in turns,
 * in one and the same reader. The figure is the median of many short turns, as beside a stalled
 * subscriber (bench/delivery/stalled.ts).
 *
 * The busy load is what clients do: a console of ten that ask for the status and set the mode, five
 * times a second each. The full load is as fast as the reader answers; on a machine of two
 * processors reader, radio, broker, subscriber and load then share them, so its figure says more of
 * the machine than of the reader.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Accounts } from '../delivery/accounts.js';
import { Broker } from '../delivery/broker.js';
import { LatencyRig, WARM_UP_SECONDS } from '../delivery/latency-rig.js';
import { median } from '../measure.js';
import { Load } from './load.js';
import { GET_STATUS, PUT_MODE } from './throughput.js';

export const READS_PER_SECOND = 1300;
export const BUSY_PER_SECOND = 50;
const ROUNDS = 9;
const TURN_SECONDS = 2;
const SETTLE_SECONDS = 1;
const TURNS = 3;
/** To begin and end loads. */
const SPARE_SECONDS = 10;
const BUSY_CONNECTIONS = 10;
const FULL_CONNECTIONS = 4;

export interface Undisturbed {
  /** Medians of the 99th percentiles of all turns, ms. */
  alone: number;
  busy: number;
  full: number;
  /** Answers a second of the full load. */
  fullPerSecond: number;
  /** Reads that were dropped or never came, of all. */
  dropped: number;
  unaccounted: number;
}

export async function undisturbed(): Promise<Undisturbed> {
  const broker = await Broker.start();
  const load = new Load();
  const seconds =
    WARM_UP_SECONDS + ROUNDS * TURNS * (TURN_SECONDS + SETTLE_SECONDS) + SPARE_SECONDS;
  const accounts = new Accounts();
  const p99s = { alone: [] as number[], busy: [] as number[], full: [] as number[] };
  const rates: number[] = [];
  try {
    const rig = await LatencyRig.start(broker, READS_PER_SECOND, seconds);
    const turn = async (into: number[]) => {
      await sleep(SETTLE_SECONDS * 1000);
      rig.samples.clear();
      await sleep(TURN_SECONDS * 1000);
      into.push(rig.samples.percentiles().p99);
    };
    const loaded = async (into: number[], connections: number, perSecond: number) => {
      const { restUrl: url, token } = rig.reader;
      await load.begin({ url, token, requests: [GET_STATUS, PUT_MODE], connections, perSecond });
      await turn(into);
      const result = await load.end();
      return result.answers / result.seconds;
    };
    try {
      await sleep(WARM_UP_SECONDS * 1000);
      for (let round = 0; round < ROUNDS; round++) {
        await turn(p99s.alone);
        await loaded(p99s.busy, BUSY_CONNECTIONS, BUSY_PER_SECOND);
        rates.push(await loaded(p99s.full, FULL_CONNECTIONS, 0));
      }
      await rig.end(`latency at ${READS_PER_SECOND} reads/s under REST load`, accounts);
      const dropped = await droppedReads(rig);
      return {
        alone: median(p99s.alone),
        busy: median(p99s.busy),
        full: median(p99s.full),
        fullPerSecond: median(rates),
        dropped,
        unaccounted: accounts.unaccounted,
      };
    } finally {
      await rig.close();
    }
  } finally {
    load.close();
    await broker.stop();
  }
}

/** In the radio, on the way to the gateway, and on the way out. */
async function droppedReads({ reader }: LatencyRig): Promise<number> {
  const { tagReads } = (await reader.call('GET', 'status')) as {
    tagReads: { dropped: number; missed: number };
  };
  return tagReads.dropped + tagReads.missed + (await reader.settledDropped());
}
