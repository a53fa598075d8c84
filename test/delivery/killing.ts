/** Kills a server again and again while events flow, and tells what it had taken. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Test } from 'tap';
import type { Endpoint } from '../../src/reader-gateway/delivery/endpoint.js';
import { until } from '../gateway/reader.js';
import { messagesIn } from './arrivals-file.js';
import { Arrivals, event, freePort } from './harness.js';

const SCRIPT = fileURLToPath(new URL('./arrivals-server.js', import.meta.url));

export class MortalServer {
  readonly #file: string;
  #running: ChildProcess | undefined;
  /** Loaded already: the start of a process takes longer than what is to be tested. */
  #next: Promise<ChildProcess>;

  private constructor(
    readonly kind: 'mqtt' | 'http',
    readonly port: number,
    readonly folder: string,
  ) {
    this.#file = join(folder, 'arrivals');
    this.#next = this.#load();
  }

  static async start(t: Test, kind: 'mqtt' | 'http'): Promise<MortalServer> {
    const folder = mkdtempSync(join(tmpdir(), 'kill-'));
    const server = new MortalServer(kind, await freePort(), folder);
    t.teardown(async () => {
      server.#running?.kill('SIGKILL');
      (await server.#next).kill('SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    });
    await server.listen();
    return server;
  }

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
    child.kill('SIGKILL');
    await gone;
  }

  /** @param channel Topic or path. */
  arrivals(channel: string): Arrivals {
    return arrivalsIn(this.#file, channel);
  }

  async #load(): Promise<ChildProcess> {
    const child = fork(SCRIPT, [this.kind, String(this.port), this.#file, '127.0.0.1'], {
      execArgv: [],
    });
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

/** 2,000 events a second to each endpoint, from start to stop, as long as some get through. */
export class Flow {
  offered = 0;
  readonly #timer: NodeJS.Timeout;
  #lastMs = performance.now();

  constructor(endpoints: readonly Endpoint[], perSecond = 2000) {
    let owed = 0;
    this.#timer = setInterval(() => {
      const now = performance.now();
      owed += ((now - this.#lastMs) * perSecond) / 1000;
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

const KILLS = 100;

/**
 * Kills and restarts the server at random moments while events flow, and looks at its account.
 * @param kept Retains, and sends to the channel "kept".
 * @param unkept Retains nothing, and sends to the channel "unkept".
 */
export async function survives(
  t: Test,
  server: MortalServer,
  kept: Endpoint,
  unkept: Endpoint,
): Promise<void> {
  const flow = new Flow([kept, unkept]);
  for (let i = 0; i < KILLS; i++) {
    await sleep(50 + Math.random() * 250);
    await server.kill();
    await sleep(Math.random() * 100);
    await server.listen();
  }
  const last = flow.stop();
  const settled = ({ counters }: Endpoint) => counters.retained === 0;
  await until('all is sent or lost', () => settled(kept) && settled(unkept), 120_000);
  // Without a next event nothing would carry the last loss: the overflow event goes by itself.
  const told = () => server.arrivals('unkept').unaccounted(last).length === 0;
  await until('the last loss is told', told, 120_000);

  const arrived = server.arrivals('kept');
  t.same(arrived.unaccounted(last), [], `every one of ${last} events arrived`);
  t.same(arrived.overflows, []);
  t.match(kept.counters, { sent: last, dropped: 0 });
  t.ok(kept.counters.retried > 0, 'some were sent twice');

  const { overflows, distinct } = server.arrivals('unkept');
  const lost = overflows.reduce((sum, overflow) => sum + overflow.lost, 0);
  t.ok(overflows.length > 0, `${overflows.length} losses were told`);
  t.equal(unkept.counters.sent + unkept.counters.dropped, last, 'sent or counted');
  t.ok(lost >= last - distinct.size, 'as many as did not arrive, or more');
}
