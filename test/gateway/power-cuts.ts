/** The power goes at any moment of an update: a few times every day, many times in the lane of kills. */
import { type ChildProcess, fork } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Test } from 'tap';
import { VERSION } from '../../src/shared/package-info.js';
import { temporaryFolder, until } from './reader.js';
import { FileServer, makeBundle, readDevice, trustSigner } from './updates.js';

const CHILD = fileURLToPath(new URL('./update-child.js', import.meta.url));
const AIMS = ['installing', 'rebooting', 'confirming', 'finished'];
/** More than what is flushed at once. */
const PARTS = { os: 1_000_000, rootFileSystem: 9_000_000 };

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

  switchOn(): void {
    this.#child.send('go');
  }

  async cutPower(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#gone;
  }
}

/** Where the update was, as the next start will find it. */
function phaseOnDisk(stateDir: string): string {
  return JSON.parse(readFileSync(join(stateDir, 'update', 'update.json'), 'utf8')).phase;
}

/**
 * After a cut the device is on the old or on the new version, and whole.
 * @returns The phases that it was cut in.
 */
export async function cutPowerOfUpdates(t: Test, cuts: number): Promise<string[]> {
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
  const finished = (device: Device) => device.told.some(({ phase }) => phase === 'finished');
  let next = new Device(stateDir, server.url);
  t.teardown(() => next.cutPower());
  const switchOn = async () => {
    const device = next;
    next = new Device(stateDir, server.url);
    device.switchOn();
    await until('it runs', () => device.told.length > 0, 30_000);
    return device;
  };
  const whole = await switchOn();
  const begun = performance.now();
  await until('a whole update', () => finished(whole), 60_000);
  const wholeMs = performance.now() - begun;
  await whole.cutPower();
  old = 'v1';
  number = 2;
  offer();
  for (let cut = 0; cut < cuts; cut++) {
    const device = await switchOn();
    if (cut % 2 === 0) await sleep(Math.random() * wholeMs * 0.3);
    else {
      // The short phases are hit only if they are aimed at.
      const aim = AIMS[Math.floor(cut / 2) % AIMS.length];
      const isThere = () => device.told.some(({ phase }) => phase === aim) || finished(device);
      await until(`${aim}, or the end`, isThere, 60_000);
      await sleep(Math.random() * 40);
    }
    await device.cutPower();
    const last = device.told.at(-1);
    t.notOk(
      device.told.find(({ phase }) => phase === 'failed'),
      last?.error ?? '',
    );
    const phase = phaseOnDisk(stateDir);
    cutIn.set(phase, (cutIn.get(phase) ?? 0) + 1);
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
  const last = await switchOn();
  await until('it ends', () => finished(last), 60_000);
  await last.cutPower();
  t.equal(readDevice(stateDir).version, `v${number}`);
  t.notOk(existsSync(join(stateDir, 'update', 'download')));
  t.comment(`cuts: ${JSON.stringify([...cutIn])}, ${number} updates`);
  return [...cutIn.keys()];
}
