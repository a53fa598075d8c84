/** SIGKILL at random during writes of the configuration: a few of them every day, many in the lane of kills. */
import { type ChildProcess, fork } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Test } from 'tap';
import { prepareState } from '../shared/prepared-state.js';
import { type Answer, basic, PASSWORD, send, temporaryFolder, until } from './reader.js';

const CHILD = fileURLToPath(new URL('./config-child.js', import.meta.url));

class Reader {
  url = '';
  readonly #child: ChildProcess;
  readonly #gone: Promise<unknown>;

  constructor(stateDir: string) {
    this.#child = fork(CHILD, [stateDir, PASSWORD], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    this.#child.on('message', (message) => {
      this.url = (message as { url: string }).url;
    });
    this.#gone = new Promise((resolve) => this.#child.on('exit', resolve));
  }

  async start(): Promise<void> {
    this.#child.send('go');
    await until('it listens', () => this.url !== '' || this.#child.exitCode !== null, 60_000);
    if (this.url === '') throw new Error(`it does not start: exit code ${this.#child.exitCode}`);
  }

  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#gone;
  }
}

/** Its parts say the same number; the long one makes a write take its time. */
function configuration(number: number) {
  return {
    xml: `<number>${number}</number>${`${number} `.repeat(5000 + (number % 7) * 2000)}`,
    'GPIO-LED': { GPIDebounce: { '1': number } },
    'READER-GATEWAY': {
      retention: { throttle: 100, maxNumEvents: number, maxEventRetentionTimeInMin: number },
    },
  };
}

/** @returns Its number, or a text that says what is not whole. */
function numberOf({ json }: Answer): number | string {
  const number = Number(/^<number>(\d+)</.exec(json.xml)?.[1]);
  const expected = configuration(number);
  const { managementEventConfig: _, endpointConfig: __, ...gateway } = json['READER-GATEWAY'];
  const found = { ...json, 'READER-GATEWAY': gateway };
  const same = JSON.stringify(sorted(found)) === JSON.stringify(sorted(expected));
  return same ? number : `a mixture: ${JSON.stringify(found).slice(0, 200)}`;
}

function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(entries.map(([key, inner]) => [key, sorted(inner)]));
}

/**
 * After a kill the configuration is the old or the new one, whole.
 * @returns How often it was the new one.
 */
export async function killWrites(t: Test, writes: number, kills: number): Promise<number> {
  const stateDir = temporaryFolder(t);
  await prepareState(stateDir, PASSWORD);
  let next = new Reader(stateDir);
  let reader = next;
  t.teardown(() => Promise.all([next.kill(), reader.kill()]));
  let headers = {};
  const switchOn = async () => {
    reader = next;
    next = new Reader(stateDir);
    await reader.start();
    if (!('authorization' in headers)) {
      const login = { headers: basic('admin', PASSWORD) };
      const { json } = await send(reader.url, 'GET', '/cloud/localRestLogin', login);
      // It is good across restarts.
      headers = { authorization: `Bearer ${json.message}` };
    }
  };
  let [old, written, news] = [1, 0, 0];
  let leftovers = 0;
  let writeMs = 20;
  const write = async (reader: Reader, number: number) => {
    const body = configuration(number);
    const { status } = await send(reader.url, 'PUT', '/cloud/config', { body, headers });
    return status === 200;
  };
  const temporary = () => readdirSync(stateDir).filter((name) => name.endsWith('.tmp')).length;
  await switchOn();
  t.ok(await write(reader, old));
  for (let kill = 0; kill < kills; kill++) {
    const whole = Math.floor((writes * (kill + 1)) / kills) - written - 1;
    const begun = performance.now();
    for (let i = 0; i < whole; i++) {
      if (!(await write(reader, old + 1))) throw new Error('a write was refused');
      old++;
      written++;
    }
    writeMs = (performance.now() - begun) / whole;
    let answered = false;
    const last = write(reader, old + 1).then(
      (done) => {
        answered = done;
      },
      () => {},
    );
    // Before it is sent, after its answer, and the others at any moment.
    if (kill % 4 === 1) await last;
    else if (kill % 4 > 1) await sleep(Math.random() * writeMs * 1.2);
    await reader.kill();
    await last;
    written++;
    leftovers += temporary();
    await switchOn();
    const found = numberOf(await send(reader.url, 'GET', '/cloud/config', { headers }));
    const allowed = answered ? [old + 1] : [old, old + 1];
    t.ok(allowed.includes(Number(found)), `kill ${kill}: ${found}, allowed: ${allowed}`);
    t.equal(temporary(), 0, 'nothing half-written is left');
    if (found === old + 1) news++;
    old = Number(found);
  }
  await reader.kill();
  t.equal(written, writes);
  t.comment(`${kills} kills: ${news} times the new one, ${leftovers} half-written files`);
  return news;
}
