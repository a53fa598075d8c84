/**
 * A request with a token beside TLS handshakes: over a connection that stays, and over one of its own.
 * In turns, in one and the same reader; the flood is a process of its own on the same machine.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { cpuUs } from '../delivery/process-figures.js';
import { BenchReader } from '../delivery/reader.js';
import type { BenchResult } from '../main.js';
import { median } from '../measure.js';
import { HttpClient, requestBytes } from '../rest/http-client.js';
import { Flood, type FloodResult, type FloodTask } from './flood.js';

const ROUNDS = 5;
const TURN_MS = 3000;
const SETTLE_MS = 500;
const PAUSE_MS = 10;
const OWN = '127.0.0.1';
const STRANGERS = ['127.0.0.2', '127.0.0.3', '127.0.0.4', '127.0.0.5'];

const FLOODS: Record<string, Omit<FloodTask, 'port'> | undefined> = {
  alone: undefined,
  '50/s from the same address': { sources: [OWN], perSecond: 50, connections: 0 },
  'full speed from 4 others': { sources: STRANGERS, perSecond: 0, connections: 20 },
  'full speed from the same address': { sources: [OWN], perSecond: 0, connections: 40 },
};

interface Turn {
  keptMs: number;
  newMs: number;
  /** Begun by the flood, that were answered. */
  perSecond: number;
  /** Of one processor. */
  gatewayCpu: number;
}

export async function handshakes(): Promise<BenchResult> {
  const reader = await BenchReader.start({ reads: 1, spacingNs: 1e6, paced: true });
  const flood = new Flood();
  try {
    const turns = Object.fromEntries(Object.keys(FLOODS).map((name) => [name, [] as Turn[]]));
    for (let round = 0; round <= ROUNDS; round++) {
      for (const [name, task] of Object.entries(FLOODS)) {
        const turn = await turnOf(reader, flood, task);
        // The first is to warm up.
        if (round > 0) turns[name]?.push(turn);
      }
    }
    const of = (name: string, figure: keyof Turn) =>
      median((turns[name] ?? []).map((turn) => turn[figure]));
    const over = (name: string, figure: 'keptMs' | 'newMs') =>
      of(name, figure) / of('alone', figure);
    const [, slow, others, same] = Object.keys(FLOODS) as [string, string, string, string];
    return {
      bench: 'handshakes',
      rows: Object.keys(FLOODS).map((name) => ({
        handshakes: name,
        kept_connection_ms: rounded(of(name, 'keptMs')),
        new_connection_ms: rounded(of(name, 'newMs')),
        handshakes_per_second: Math.round(of(name, 'perSecond')),
        gateway_cpu: rounded(of(name, 'gatewayCpu')),
      })),
      ratios: {
        kept_at_50_over_alone: over(slow, 'keptMs'),
        new_at_50_over_alone: over(slow, 'newMs'),
        kept_beside_strangers_over_alone: over(others, 'keptMs'),
        new_beside_strangers_over_alone: over(others, 'newMs'),
        kept_beside_own_address_over_alone: over(same, 'keptMs'),
      },
    };
  } finally {
    flood.close();
    await reader.stop();
  }
}

async function turnOf(
  reader: BenchReader,
  flood: Flood,
  task: Omit<FloodTask, 'port'> | undefined,
): Promise<Turn> {
  const url = new URL(reader.restUrl);
  const request = requestBytes('GET', '/cloud/status', reader.token);
  const counts = { answers: 0, refused: 0 };
  const kept = await HttpClient.open(url, counts);
  if (task !== undefined) await flood.begin({ ...task, port: Number(url.port) });
  await sleep(SETTLE_MS);
  const keptMs: number[] = [];
  const newMs: number[] = [];
  const cpu = cpuUs(reader.gatewayPid);
  const began = performance.now();
  while (performance.now() - began < TURN_MS) {
    keptMs.push(await timeOf(kept, request));
    await sleep(PAUSE_MS);
    const opened = performance.now();
    const own = await HttpClient.open(url, counts);
    await timeOf(own, request);
    newMs.push(performance.now() - opened);
    own.close();
    await sleep(PAUSE_MS);
  }
  const used = cpuUs(reader.gatewayPid) - cpu;
  const gatewayCpu = used / 1000 / (performance.now() - began);
  kept.close();
  const none: FloodResult = { answered: 0, seconds: 1 };
  const { answered, seconds } = task === undefined ? none : await flood.end();
  await sleep(SETTLE_MS);
  if (counts.refused > 0) throw new Error(`${counts.refused} requests were refused`);
  return {
    keptMs: median(keptMs),
    newMs: median(newMs),
    perSecond: answered / seconds,
    gatewayCpu,
  };
}

async function timeOf(client: HttpClient, request: Buffer): Promise<number> {
  const began = performance.now();
  await new Promise<void>((resolve) => {
    client.onIdle = () => resolve();
    client.send(request);
  });
  return performance.now() - began;
}

function rounded(value: number): number {
  return Number(value.toFixed(3));
}
