/** Events of an outage: what they take in memory, and how fast they leave when the broker is back. */
import { setTimeout as sleep } from 'node:timers/promises';
import { median } from '../measure.js';
import type { Accounts } from './accounts.js';
import { EventCounter } from './event-counter.js';
import { freePort } from './free-port.js';
import { cpuUs, residentBytes } from './process-figures.js';
import { BenchReader } from './reader.js';
import { openMqttSink } from './sinks/mqtt-sink.js';
import { KEEP_ALL } from './throughput.js';
import { mqttOptions } from './transports.js';

export const BACKLOG_EVENTS = 150_000;
const ROUNDS = 3;

export interface Backlog {
  perSecond: number;
  cpuUs: number;
  /** Of the retained events in JavaScript's heap and outside of it, garbage not counted. */
  bytesPerEvent: number;
  /** How much larger the process was with the backlog of the first round. */
  residentBytes: number;
}

export async function backlog(accounts: Accounts): Promise<Backlog> {
  const probe = new URL('./memory-probe.js', import.meta.url);
  const reader = await BenchReader.start({
    reads: BACKLOG_EVENTS,
    spacingNs: 1000,
    paced: false,
    execArgv: ['--expose-gc', `--import=${probe.href}`],
  });
  try {
    const port = await freePort();
    await reader.deliverTo([
      {
        name: 'backlog',
        type: 'mqtt',
        options: mqttOptions(port, 0),
        additionalOptions: { retention: KEEP_ALL },
      },
    ]);
    const rounds: (Omit<Backlog, 'bytesPerEvent'> & { bytes: number })[] = [];
    const counter = new EventCounter();
    for (let round = 0; round < ROUNDS; round++) {
      const [heap, resident] = [await usedBytes(reader), residentBytes(reader.gatewayPid)];
      await reader.startReading();
      await reader.endpointsSay('retained', ([one]) => one?.retained === BACKLOG_EVENTS);
      const bytes = (await settledBytes(reader)) - heap;
      const grown = residentBytes(reader.gatewayPid) - resident;
      counter.begin();
      const before = cpuUs(reader.gatewayPid);
      const sink = await openMqttSink(port);
      sink.counter = counter;
      await counter.until(BACKLOG_EVENTS);
      const cpu = cpuUs(reader.gatewayPid) - before;
      await reader.endpointsSay('sent', ([one]) => one?.retained === 0);
      accounts.add('backlog', BACKLOG_EVENTS, counter, 0);
      const { perSecond } = counter;
      rounds.push({ perSecond, cpuUs: cpu / BACKLOG_EVENTS, bytes, residentBytes: grown });
      await sink.close();
      await reader.endpointsSay('away', ([one]) => one?.state === 'disconnected');
    }
    return {
      perSecond: median(rounds.map(({ perSecond }) => perSecond)),
      cpuUs: median(rounds.map((round) => round.cpuUs)),
      bytesPerEvent: median(rounds.map(({ bytes }) => bytes)) / BACKLOG_EVENTS,
      residentBytes: rounds[0]?.residentBytes ?? 0,
    };
  } finally {
    await reader.stop();
  }
}

/** What waits is packed beside the event loop: it gets smaller for a while. */
async function settledBytes(reader: BenchReader): Promise<number> {
  let before = await usedBytes(reader);
  for (let tries = 0; tries < 20; tries++) {
    await sleep(300);
    const now = await usedBytes(reader);
    if (now > before * 0.99) break;
    before = now;
  }
  return before;
}

async function usedBytes({ gateway }: BenchReader): Promise<number> {
  const answer = new Promise<number>((resolve) => {
    const listen = (message: { type: string; bytes: number }) => {
      if (message.type !== 'memory') return;
      gateway.off('message', listen);
      resolve(message.bytes);
    };
    gateway.on('message', listen);
  });
  gateway.send('memory');
  return answer;
}
