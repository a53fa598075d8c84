/** The power goes at any moment of an update, again and again. */
import { type ChildProcess, fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { VERSION } from '../../src/shared/package-info.js';
import { temporaryFolder, until } from './reader.js';
import { FileServer, makeBundle, readDevice, trustSigner } from './updates.js';

const CHILD = fileURLToPath(new URL('./update-child.js', import.meta.url));
const CUTS = 50;
const PARTS = { os: 1_000_000, rootFileSystem: 7_000_000 };

interface Told {
  /** Phase of the update, or `ended`. */
  phase: string;
  error?: string;
}

/** A process with the emulated device; it goes on with the update of the last one, or begins one. */
class Device {
  readonly told: Told[] = [];
  readonly #child: ChildProcess;
  readonly #gone: Promise<unknown>;

  constructor(stateDir: string, url: string) {
    this.#child = fork(CHILD, [stateDir, url], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    this.#child.on('message', (message) => this.told.push(message as Told));
    this.#gone = new Promise((resolve) => this.#child.on('exit', resolve));
  }

  async cutPower(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#gone;
  }
}

t.test('after a cut the device is on the old or on the new version, and whole', async (t) => {
  const stateDir = temporaryFolder(t);
  trustSigner(stateDir);
  const server = await FileServer.start(t, makeBundle({ version: 'v1', parts: PARTS }));
  let number = 1;
  let old = VERSION;
  const cutIn = new Map<string, number>();
  const offer = () => {
    server.content = makeBundle({ version: `v${number}`, parts: PARTS });
    server.etag = `"${number}"`;
  };
  for (let cut = 0; cut < CUTS; cut++) {
    const device = new Device(stateDir, server.url);
    await until('it runs', () => device.told.length > 0, 30_000);
    // The whole of what is left takes about this long; a cut may come after its end, too.
    await sleep(Math.random() ** 2 * 400);
    await device.cutPower();
    const last = device.told.at(-1);
    t.notOk(
      device.told.find(({ phase }) => phase === 'failed'),
      last?.error ?? '',
    );
    cutIn.set(last?.phase ?? '', (cutIn.get(last?.phase ?? '') ?? 0) + 1);
    // Throws unless every byte of the slot that runs is right.
    const { version, env } = readDevice(stateDir);
    t.ok([old, `v${number}`].includes(version), `cut ${cut}: ${version} runs`);
    t.equal(env.slots[env.booted].state === 'empty', false);
    if (last?.phase === 'finished') {
      t.equal(version, `v${number}`, 'an update that was told to be done is done');
      old = version;
      number++;
      offer();
    }
  }
  const device = new Device(stateDir, server.url);
  await until('it ends', () => device.told.some(({ phase }) => phase === 'finished'), 30_000);
  await device.cutPower();
  t.equal(readDevice(stateDir).version, `v${number}`);
  t.notOk(existsSync(join(stateDir, 'update', 'download')));
  t.comment(`cuts: ${JSON.stringify([...cutIn])}, ${number} updates`);
  t.ok(cutIn.size >= 3, 'in several phases');
});
