/** RAUC, the update service of real devices, by D-Bus. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../../shared/log.js';
import type {
  BundleInfo,
  EngineStatus,
  InstallProgress,
  Slot,
  UpdateEngine,
} from '../update-engine.js';
import { plain, ServiceRefusal, type SystemBus, type Target } from './system-bus.js';

const RAUC: Target = {
  title: 'the update service (RAUC)',
  destination: 'de.pengutronix.rauc',
  path: '/',
  interface: 'de.pengutronix.rauc.Installer',
};
/** It reads and hashes the whole bundle before it answers. */
const INSPECT_MS = 600_000;
const POLL_MS = 500;
/** RAUC is idle: its Completed signal is on its way, or was lost. */
const POLLS_WITHOUT_SIGNAL = 4;

export class Rauc implements UpdateEngine {
  constructor(
    private readonly bus: SystemBus,
    private readonly log: Logger,
  ) {}

  async open(): Promise<void> {}

  async slots(): Promise<Slot[]> {
    const found = await this.bus.call(RAUC, 'GetSlotStatus');
    // Of a boot loader that cannot say which boots next.
    const primary = await this.bus.call(RAUC, 'GetPrimary').catch((error) => {
      if (error instanceof ServiceRefusal) return '';
      throw error;
    });
    return (plain(found) as [string, Record<string, unknown>][])
      .filter(([, status]) => typeof status.bootname === 'string' && status.bootname !== '')
      .map(([name, status]) => {
        const booted = status.state === 'booted';
        return {
          name,
          booted,
          primary: name === primary,
          state: bootState(status, booted),
          version: String(status['bundle.version'] ?? ''),
        };
      });
  }

  async status(): Promise<EngineStatus> {
    const [operation, lastError] = await Promise.all([
      this.bus.property(RAUC, 'Operation'),
      this.bus.property(RAUC, 'LastError'),
    ]);
    return { idle: operation === 'idle', lastError: String(lastError) };
  }

  /** RAUC looks at the signature before it says anything of a bundle. */
  async check(file: string): Promise<BundleInfo> {
    const info = await this.#inspect(file);
    const own = await this.bus.property(RAUC, 'Compatible');
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
    /** 0 = it succeeded. */
    let result: number | undefined;
    const stop = await this.bus.listen(RAUC, 'Completed', ([code]) => {
      result = Number(code);
    });
    try {
      await this.bus.call(RAUC, 'InstallBundle', 'sa{sv}', [file, {}]);
      await this.#untilDone(() => result, onProgress, signal);
    } finally {
      stop();
    }
    return target.name;
  }

  async activate(slot: string): Promise<void> {
    await this.#mark('active', slot);
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

  async #mark(state: 'good' | 'bad' | 'active', slot: string): Promise<void> {
    const [name, message] = await this.bus.callForAll(RAUC, 'Mark', 'ss', [state, slot]);
    this.log.info({ slot: name, message }, 'RAUC has marked a slot');
  }

  async #inspect(file: string): Promise<BundleInfo> {
    try {
      const body = [file, {}];
      const answer = await this.bus.call(RAUC, 'InspectBundle', 'sa{sv}', body, INSPECT_MS);
      const { update = {} } = plain(answer) as { update?: Record<string, unknown> };
      return { compatible: String(update.compatible ?? ''), version: String(update.version ?? '') };
    } catch (error) {
      if (!(error instanceof ServiceRefusal) || !error.type.endsWith('.UnknownMethod')) throw error;
    }
    // RAUC before 1.8.
    const said = await this.bus.callForAll(RAUC, 'Info', 's', [file], INSPECT_MS);
    const [compatible, version] = said;
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
        this.bus.property(RAUC, 'Progress'),
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

/** RAUC has one number for all. */
function progressOf(percent: number): InstallProgress {
  const overall = Math.max(0, Math.min(100, Math.floor(percent)));
  return { overall, parts: { os: overall, rootFileSystem: overall } };
}
