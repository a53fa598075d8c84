/** RAUC, the update service of real devices, by D-Bus; logind reboots. */

import { setTimeout as sleep } from 'node:timers/promises';
import type { Message } from '@jellybrick/dbus-next';
import type { Logger } from '../../shared/log.js';
import { BusClient, type BusObject, BusRefusal, plain } from './bus-client.js';
import type { BundleInfo, EngineStatus, InstallProgress, Slot, UpdateEngine } from './engine.js';

const RAUC: BusObject = {
  destination: 'de.pengutronix.rauc',
  path: '/',
  interface: 'de.pengutronix.rauc.Installer',
};
const LOGIND: BusObject = {
  destination: 'org.freedesktop.login1',
  path: '/org/freedesktop/login1',
  interface: 'org.freedesktop.login1.Manager',
};
const POLL_MS = 500;
/** RAUC is idle: its Completed signal is on its way, or was lost. */
const POLLS_WITHOUT_SIGNAL = 4;

export class RaucEngine implements UpdateEngine {
  readonly #log: Logger;
  readonly #rauc = new BusClient('the update service (RAUC)');
  readonly #logind = new BusClient('the system manager (logind)');

  constructor({ log }: { log: Logger }) {
    this.#log = log;
  }

  async open(): Promise<void> {}

  async slots(): Promise<Slot[]> {
    const [found] = await this.#rauc.call(RAUC, 'GetSlotStatus');
    // Of a boot loader that cannot say which boots next.
    const primary = await this.#rauc.call(RAUC, 'GetPrimary').catch((error) => {
      if (error instanceof BusRefusal) return [''];
      throw error;
    });
    return (plain(found) as [string, Record<string, unknown>][])
      .filter(([, status]) => typeof status.bootname === 'string' && status.bootname !== '')
      .map(([name, status]) => {
        const booted = status.state === 'booted';
        return {
          name,
          booted,
          primary: name === primary[0],
          state: bootState(status, booted),
          version: String(status['bundle.version'] ?? ''),
        };
      });
  }

  async status(): Promise<EngineStatus> {
    const [operation, lastError] = await Promise.all([
      this.#rauc.property(RAUC, 'Operation'),
      this.#rauc.property(RAUC, 'LastError'),
    ]);
    return { idle: operation === 'idle', lastError: String(lastError) };
  }

  /** RAUC looks at the signature before it says anything of a bundle. */
  async check(file: string): Promise<BundleInfo> {
    const info = await this.#inspect(file);
    const own = await this.#rauc.property(RAUC, 'Compatible');
    if (info.compatible !== own) {
      throw new Error(`the bundle is for "${info.compatible}", and this is "${own}"`);
    }
    return info;
  }

  async install(
    file: string,
    onProgress: (progress: InstallProgress) => void,
    signal: AbortSignal,
  ): Promise<string> {
    // One that an earlier process began: it is done once more, so that its result is known.
    while (!(await this.status()).idle) await sleep(POLL_MS, undefined, { signal });
    const target = (await this.slots()).find(({ booted }) => !booted);
    if (target === undefined) throw new Error('the device has no slot to install to');
    let result: number | undefined;
    const stop = await this.#rauc.listen(RAUC, (message) => {
      result = completed(message) ?? result;
    });
    try {
      await this.#rauc.call(RAUC, 'InstallBundle', 'sa{sv}', [file, {}]);
      await this.#untilDone(() => result, onProgress, signal);
    } finally {
      stop();
    }
    return target.name;
  }

  async activate(slot: string): Promise<void> {
    await this.#mark('active', slot);
  }

  async reboot(): Promise<'down'> {
    await this.#logind.call(LOGIND, 'Reboot', 'b', [false]);
    return 'down';
  }

  async selfTest(): Promise<string> {
    return '';
  }

  async markGood(): Promise<void> {
    await this.#mark('good', 'booted');
  }

  async revertSlot(): Promise<Slot | undefined> {
    return (await this.slots()).find(({ booted, state }) => !booted && state === 'good');
  }

  async rollBack(): Promise<void> {
    const other = (await this.slots()).find(({ booted }) => !booted);
    if (other === undefined) throw new Error('the device has no other slot');
    // First the slot to go to: without it the one that runs must stay bootable.
    await this.#mark('active', other.name);
    await this.#mark('bad', 'booted');
  }

  async applicationVersion(): Promise<undefined> {
    return undefined;
  }

  async close(): Promise<void> {
    this.#rauc.close();
    this.#logind.close();
  }

  async #mark(state: 'good' | 'bad' | 'active', slot: string): Promise<void> {
    const [name, message] = await this.#rauc.call(RAUC, 'Mark', 'ss', [state, slot]);
    this.#log.info({ slot: name, message }, 'RAUC has marked a slot');
  }

  async #inspect(file: string): Promise<BundleInfo> {
    try {
      const [answer] = await this.#rauc.call(RAUC, 'InspectBundle', 'sa{sv}', [file, {}]);
      const { update = {} } = plain(answer) as { update?: Record<string, unknown> };
      return { compatible: String(update.compatible ?? ''), version: String(update.version ?? '') };
    } catch (error) {
      if (!(error instanceof BusRefusal) || !error.type.endsWith('.UnknownMethod')) throw error;
    }
    // RAUC before 1.8.
    const [compatible, version] = await this.#rauc.call(RAUC, 'Info', 's', [file]);
    return { compatible: String(compatible), version: String(version) };
  }

  /** Asks how far it is: signals alone would be lost with a connection. */
  async #untilDone(
    result: () => number | undefined,
    onProgress: (progress: InstallProgress) => void,
    signal: AbortSignal,
  ): Promise<void> {
    let idlePolls = 0;
    for (;;) {
      const [progress, { idle, lastError }] = await Promise.all([
        this.#rauc.property(RAUC, 'Progress'),
        this.status(),
      ]);
      const [percent] = progress as [number, string, number];
      onProgress(progressOf(percent));
      const code = result();
      idlePolls = idle ? idlePolls + 1 : 0;
      if (code === 0 || (idlePolls >= POLLS_WITHOUT_SIGNAL && lastError === '')) return;
      if (code !== undefined || idlePolls >= POLLS_WITHOUT_SIGNAL) {
        throw new Error(`RAUC: ${lastError === '' ? `result ${code}` : lastError}`);
      }
      await sleep(POLL_MS, undefined, { signal });
    }
  }
}

function bootState(status: Record<string, unknown>, booted: boolean): Slot['state'] {
  // An installation broke off in it.
  if (status.status === 'pending' || status.status === 'failed') return 'bad';
  const boot = status['boot-status'];
  return boot === 'good' || (boot !== 'bad' && booted) ? 'good' : 'bad';
}

/** @returns The result in a Completed signal: 0 = it succeeded. */
function completed({ interface: from, member, body }: Message): number | undefined {
  return from === RAUC.interface && member === 'Completed' ? Number(body[0]) : undefined;
}

/** RAUC has one number for all. */
function progressOf(percent: number): InstallProgress {
  const overall = Math.max(0, Math.min(100, Math.floor(percent)));
  return { overall, parts: { os: overall, rootFileSystem: overall } };
}
