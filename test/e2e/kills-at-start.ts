/** Kills the command at moments spread over its start, and looks for what is left. */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Test } from 'tap';
import { freePort } from '../../bench/delivery/free-port.js';
import { appPackage, FileServer } from '../gateway/user-apps.js';
import { prepareState } from '../shared/prepared-state.js';
import { processesOf } from './processes.js';
import { PASSWORD, Product } from './product.js';

/** Moments go on a little after all is up. */
const AFTER_READY = 1.2;
/** The services have four seconds for an orderly end, and this machine other things to do. */
const GONE_WITHIN_MS = 30_000;
const BOOTS_MS = 60_000;
/** Two at a time, on two state folders. */
const SIDES = 2;

/** One state folder and its ports, over all starts: what one leaves behind is in the way of the next. */
class Side {
  readonly stateDir = mkdtempSync(join(tmpdir(), 'singulate-kills-'));

  private constructor(
    readonly restPort: number,
    readonly mqttPort: number,
  ) {}

  static async open(t: Test): Promise<Side> {
    const side = new Side(await freePort(), await freePort());
    await prepareState(side.stateDir, PASSWORD);
    t.teardown(async () => {
      for (const { pid } of processesOf(side.stateDir)) process.kill(pid, 'SIGKILL');
      await side.nothingRuns();
      rmSync(side.stateDir, { recursive: true, force: true, maxRetries: 5 });
    });
    return side;
  }

  spawn(): Promise<Product> {
    return Product.spawn({ ...this });
  }

  /** @returns milliseconds that a start takes. */
  async start(): Promise<{ product: Product; ms: number }> {
    const begun = performance.now();
    const product = await this.spawn();
    await product.until(() => product.login(), 'REST answers', BOOTS_MS);
    return { product, ms: performance.now() - begun };
  }

  /** @returns what still runs when the time is over. */
  async nothingRuns(): Promise<string[]> {
    const deadline = Date.now() + GONE_WITHIN_MS;
    let left = processesOf(this.stateDir);
    while (left.length > 0 && Date.now() < deadline) {
      await sleep(50);
      left = processesOf(this.stateDir);
    }
    return left.map(({ pid, command }) => `${pid} ${command}`);
  }
}

/** @param kills How often; the moments are equally far from each other. */
export async function killStarts(t: Test, kills: number): Promise<void> {
  const sides = await Promise.all(Array.from({ length: SIDES }, () => Side.open(t)));
  let [startMs, endMs] = [0, 0];
  for (const side of sides) {
    const { product, ms } = await side.start();
    startMs = Math.max(startMs, ms);
    await installApplication(t, product);
    t.equal(await product.stop(), 0);
  }
  const moments = Array.from({ length: kills }, (_, i) => (i * startMs * AFTER_READY) / kills);
  await Promise.all(
    sides.map(async (side) => {
      for (let ms = moments.pop(); ms !== undefined; ms = moments.pop()) {
        const { process } = await side.spawn();
        const exit = once(process, 'exit');
        await sleep(ms);
        process.kill('SIGKILL');
        const [, signal] = await exit;
        const killed = performance.now();
        const left = await side.nothingRuns();
        endMs = Math.max(endMs, performance.now() - killed);
        t.same({ signal, left }, { signal: 'SIGKILL', left: [] }, `killed after ${ms} ms`);
        if (left.length > 0) return;
      }
      const { product } = await side.start();
      t.equal(await product.stop(), 0, 'state folder and ports are good for a start');
    }),
  );
  t.comment(`a start took ${Math.round(startMs)} ms, an end at most ${Math.round(endMs)} ms`);
}

/** One that is started with the reader. */
async function installApplication(t: Test, product: Product): Promise<void> {
  const server = new FileServer();
  await server.start(t);
  server.files.set('stays.tar.gz', appPackage('stays'));
  const put = async (path: string, body: object) => {
    const { status, text } = await product.call('PUT', `/cloud/apps/${path}`, body);
    const told = product.lines.filter(({ level }) => level === 'error' || level === 'warn');
    if (status !== 200) throw new Error(`${text}\n${JSON.stringify(told)}`);
  };
  await put('install', server.request('stays.tar.gz'));
  await put('stays/autostart', {});
}
