/**
 * What a subscriber that reads nothing does to the others: latency with and without it in turns, in
 * one and the same reader. A machine is held up now and then, which is more than what is looked
 * for; so the figure is the median of many short turns.
 */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { median } from '../measure.js';
import type { Accounts } from './accounts.js';
import type { Broker } from './broker.js';
import { freePort } from './free-port.js';
import { LatencyRig, WARM_UP_SECONDS } from './latency-rig.js';

const PAIRS = 9;
const TURN_SECONDS = 3;
const SETTLE_SECONDS = 1;
/** To open and close the other endpoint. */
const CHANGES_SECONDS = 1;
const CONNECT_TRIES = 20;

export interface BesideStalled {
  readsPerSecond: number;
  /** Medians of the 99th percentiles of all turns, ms. */
  alone: number;
  beside: number;
}

export async function besideStalled(
  broker: Broker,
  readsPerSecond: number,
  accounts: Accounts,
): Promise<BesideStalled> {
  const pairSeconds = 2 * (TURN_SECONDS + SETTLE_SECONDS) + CHANGES_SECONDS;
  const seconds = WARM_UP_SECONDS + PAIRS * pairSeconds;
  const rig = await LatencyRig.start(broker, readsPerSecond, seconds);
  const p99s = { alone: [] as number[], beside: [] as number[] };
  const turn = async (into: number[]) => {
    await sleep(SETTLE_SECONDS * 1000);
    rig.samples.clear();
    await sleep(TURN_SECONDS * 1000);
    into.push(rig.samples.percentiles().p99);
  };
  try {
    await sleep(WARM_UP_SECONDS * 1000);
    for (let pair = 0; pair < PAIRS; pair++) {
      await turn(p99s.alone);
      const tcpipport = String(await freePort());
      const options = { tcpipport, enableSecurity: false, security: {} };
      await rig.deliverBeside([{ name: 'stalled', type: 'tcpip-server', options }]);
      const client = await silentClient(Number(tcpipport));
      await turn(p99s.beside);
      client.destroy();
      await rig.deliverBeside([]);
    }
    await rig.end(`latency at ${readsPerSecond} reads/s beside a stalled one`, accounts);
  } finally {
    await rig.close();
  }
  return { readsPerSecond, alone: median(p99s.alone), beside: median(p99s.beside) };
}

/** It is connected, and never reads. A port that was just configured may not listen yet. */
async function silentClient(port: number): Promise<Socket> {
  for (let tries = 1; ; tries++) {
    const socket = connect({ port, host: '127.0.0.1' });
    try {
      await once(socket, 'connect');
      socket.on('error', () => {});
      return socket.pause();
    } catch (error) {
      if (tries === CONNECT_TRIES) throw error;
      await sleep(50);
    }
  }
}
