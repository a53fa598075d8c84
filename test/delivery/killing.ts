/** Kills what is at the other end again and again while events flow, and looks at its account. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Test } from 'tap';
import { freePort } from '../../bench/delivery/free-port.js';
import type { Endpoint } from '../../src/reader-gateway/delivery/endpoint.js';
import { type LongTurn, LoopWatch } from '../../src/shared/loop-watch.js';
import { until } from '../gateway/reader.js';
import { ArrivalsReader, messagesIn } from './arrivals-file.js';
import { Arrivals, event } from './harness.js';

export type PeerKind = 'mqtt' | 'http' | 'tcp' | 'websocket';

const SCRIPTS = { server: './arrivals-server.js', client: './arrivals-client.js' };

/** A server, or a client of a server of this process, in a process of its own. */
export class MortalPeer {
  readonly #file: string;
  readonly #reader: ArrivalsReader;
  readonly #arrivals = new Map<string, Arrivals>();
  #running: ChildProcess | undefined;
  /** Loaded already: the start of a process takes longer than what is to be tested. */
  #next: Promise<ChildProcess>;

  private constructor(
    readonly kind: PeerKind,
    /** That it listens at, or connects to. */
    readonly port: number,
    /** That a client connects to. */
    private readonly channels: readonly string[],
    readonly folder: string,
  ) {
    this.#file = join(folder, 'arrivals');
    this.#reader = new ArrivalsReader(this.#file);
    this.#next = this.#load();
  }

  static async start(
    t: Test,
    kind: PeerKind,
    { port, channels = [] }: { port?: number; channels?: readonly string[] } = {},
  ): Promise<MortalPeer> {
    const folder = mkdtempSync(join(tmpdir(), 'kill-'));
    const peer = new MortalPeer(kind, port ?? (await freePort()), channels, folder);
    t.teardown(async () => {
      peer.#running?.kill('SIGKILL');
      (await peer.#next).kill('SIGKILL');
      peer.#reader.close();
      rmSync(folder, { recursive: true, force: true });
    });
    await peer.listen();
    return peer;
  }

  /** Until it listens, or is connected to all channels. */
  async listen(): Promise<void> {
    const child = await this.#next;
    this.#next = this.#load();
    this.#running = child;
    const listening = once(child, 'message');
    child.send('listen');
    await listening;
  }

  async kill(): Promise<void> {
    const child = this.#running;
    if (child === undefined) return;
    const gone = once(child, 'exit');
    if (this.#isServer) child.kill('SIGKILL');
    else child.send('die');
    await gone;
  }

  /** Breaks all its connections off; a client makes them again. */
  async reset(): Promise<void> {
    const child = this.#running as ChildProcess;
    const done = once(child, 'message');
    child.send('reset');
    await done;
  }

  /** @param channel Topic, path or port. */
  arrivals(channel: string): Arrivals {
    for (const { channel: name, text } of this.#reader.read()) this.#of(name).message(text);
    return this.#of(channel);
  }

  #of(channel: string): Arrivals {
    const arrivals = this.#arrivals.get(channel) ?? new Arrivals();
    this.#arrivals.set(channel, arrivals);
    return arrivals;
  }

  get #isServer(): boolean {
    return this.kind === 'mqtt' || this.kind === 'http';
  }

  async #load(): Promise<ChildProcess> {
    const script = new URL(this.#isServer ? SCRIPTS.server : SCRIPTS.client, import.meta.url);
    const rest = this.#isServer ? ['127.0.0.1'] : this.channels;
    const args = [this.kind, String(this.port), this.#file, ...rest];
    const child = fork(fileURLToPath(script), args, { execArgv: [] });
    await once(child, 'message');
    return child;
  }
}

/** What an arrivals-server has written down. @param channel Topic or path. */
export function arrivalsIn(file: string, channel: string): Arrivals {
  const arrivals = new Arrivals();
  for (const message of messagesIn(file, channel)) arrivals.message(message);
  return arrivals;
}

const EVERY_MS = 5;
/** A machine that is so busy that nothing gets through must not fill what retention allows. */
const MOST_WAITING = 100_000;
/** A busy machine makes turns long as well: what stands costs processor time of its own. */
const OWN_MS = 200;
const TOGETHER_MS = 2000;
/** What a stalled machine has missed is not made up for at once. */
const MOST_AT_ONCE = 500;

/** 2,000 events a second to each endpoint, from start to stop, as long as some get through. */
export class Flow {
  offered = 0;
  readonly #timer: NodeJS.Timeout;
  #lastMs = performance.now();

  constructor(endpoints: readonly Endpoint[], perSecond = 2000) {
    let owed = 0;
    this.#timer = setInterval(() => {
      const now = performance.now();
      owed = Math.min(MOST_AT_ONCE, owed + ((now - this.#lastMs) * perSecond) / 1000);
      this.#lastMs = now;
      if (endpoints.some(({ counters }) => counters.retained > MOST_WAITING)) owed = 0;
      for (; owed >= 1; owed--) {
        this.offered++;
        for (const endpoint of endpoints) endpoint.offer(event());
      }
    }, EVERY_MS);
  }

  stop(): number {
    clearInterval(this.#timer);
    return this.offered;
  }
}

/** An endpoint and where its messages arrive. */
export interface Line {
  /** Topic, path or port; no two lines have the same. */
  channel: string;
  endpoint: Endpoint;
  /** It retains what does not arrive. */
  keeps: boolean;
  /** Of MQTT with QoS 0 nobody acknowledges anything. */
  isAnswered: boolean;
}

export interface Campaign {
  /** How often each line's connection is broken: every other time by a kill, else by a reset. */
  breaks: number;
  /** A slow machine has no time for all of them. */
  mostMs: number;
  /** Events a second to each line that keeps them, and to each of the others. */
  keptPerSecond: number;
  unkeptPerSecond: number;
}

/** For the tests of every day. */
export const SHORT: Campaign = {
  breaks: 26,
  mostMs: 15_000,
  keptPerSecond: 500,
  unkeptPerSecond: 300,
};
/** Of the lane of kills, as much as fits: KILLS_SHARE=0.2 is a fifth of the kills, at least ten. */
const SHARE = Number(process.env.KILLS_SHARE ?? 1);

export function killsOf(all: number): number {
  if (!(SHARE > 0 && SHARE <= 1)) {
    throw new Error(`KILLS_SHARE: ${process.env.KILLS_SHARE} given; allowed: above 0, at most 1`);
  }
  return Math.max(10, Math.round(all * SHARE));
}

/** For a lane of its own: 200 kills and 200 resets. */
export const LONG: Campaign = {
  breaks: killsOf(400),
  mostMs: killsOf(200_000),
  keptPerSecond: 3000,
  unkeptPerSecond: 500,
};

/**
 * Breaks the connections off, by resets and by kills in turn, at random moments while events
 * flow, and looks at each line's account and at the event loop.
 */
export async function survives(
  t: Test,
  peer: MortalPeer,
  lines: readonly Line[],
  { breaks, mostMs, keptPerSecond, unkeptPerSecond }: Campaign,
): Promise<void> {
  const endpoints = lines.map(({ endpoint }) => endpoint);
  const allConnected = () => endpoints.every(({ state }) => state.connected);
  const long: LongTurn[] = [];
  const loop = new LoopWatch(({ busiest }) => long.push(busiest)).start();
  const flowOf = (keeps: boolean, perSecond: number) =>
    new Flow(
      lines.filter((line) => line.keeps === keeps).map(({ endpoint }) => endpoint),
      perSecond,
    );
  const [kept, unkept] = [flowOf(true, keptPerSecond), flowOf(false, unkeptPerSecond)];
  t.teardown(() => {
    kept.stop();
    unkept.stop();
  });
  // A POST that is taken is what connects an httpPost endpoint.
  await until('all are connected', allConnected);
  const broken = lines.map(() => 0);
  const endMs = performance.now() + mostMs;
  for (let i = 0; Math.min(...broken) < breaks && performance.now() < endMs; i++) {
    // Not all may be there again within the time: with QoS 2 that takes long on a busy machine.
    await until('all are connected again', allConnected, TOGETHER_MS).catch(() => {});
    await sleep(20 + Math.random() * 100);
    lines.forEach(({ endpoint }, line) => {
      if (endpoint.state.connected) broken[line] = (broken[line] ?? 0) + 1;
    });
    if (i % 2 === 0) {
      await peer.reset();
    } else {
      await peer.kill();
      await sleep(Math.random() * 50);
      await peer.listen();
    }
  }
  const last = { kept: kept.stop(), unkept: unkept.stop() };
  const settled = () => endpoints.every(({ counters }) => counters.retained === 0);
  await until('all is sent or lost', settled, 120_000);
  loop.stop();
  const standing = long.filter(({ cpuMs }) => cpuMs > OWN_MS);
  t.same(standing, [], 'no turn of the event loop held up the others');
  for (const [index, line] of lines.entries()) {
    const times = broken[index] ?? 0;
    t.ok(times > 0, `${line.channel}: broken ${times} times`);
    await hasAllOf(t, peer, line, line.keeps ? last.kept : last.unkept, times);
  }
}

async function hasAllOf(
  t: Test,
  peer: MortalPeer,
  { channel, endpoint, keeps, isAnswered }: Line,
  last: number,
  breaks: number,
): Promise<void> {
  const missing = () => peer.arrivals(channel).unaccounted(last);
  // Without a next event nothing would carry the last loss: the overflow event goes by itself.
  const isReported = () => missing().length === 0;
  if (isAnswered) await until(`${channel}: every loss is reported`, isReported, 60_000);
  const { overflows, distinct } = peer.arrivals(channel);
  const { sent, dropped } = endpoint.counters;
  t.equal(sent + dropped, last, `${channel}: ${sent} sent, ${dropped} dropped`);
  if (keeps) {
    t.equal(dropped, 0, `${channel}: nothing is dropped`);
    t.same(overflows, []);
  }
  if (isAnswered) {
    t.pass(`${channel}: ${last - distinct.size} of ${last} are missing, and reported`);
    return;
  }
  // What was written to a connection that broke is lost: the last of it, in one piece.
  const pieces = missing().filter((number, i, all) => number !== (all[i - 1] ?? 0) + 1).length;
  t.ok(pieces <= breaks, `${channel}: ${pieces} pieces lost in ${breaks} broken connections`);
}
