/**
 * The NTP server, by systemd-timesyncd: a drop-in file of our own names it, and the service is
 * restarted. The D-Bus interface of timesyncd can only set servers that a restart forgets.
 */
import type { NtpAdapter } from '../adapters.js';
import { TIMEDATED } from './linux-time-zone.js';
import { readOwnFile, writeOwnFile } from './own-file.js';
import type { SystemBus } from './system-bus.js';

const DROP_IN = '/etc/systemd/timesyncd.conf.d/50-singulate.conf';
const UNIT = 'systemd-timesyncd.service';
export const SYSTEMD = {
  destination: 'org.freedesktop.systemd1',
  path: '/org/freedesktop/systemd1',
  interface: 'org.freedesktop.systemd1.Manager',
};
const NOT_INTERACTIVE = false;

export class Timesyncd implements NtpAdapter {
  constructor(
    private readonly bus: SystemBus,
    private readonly dropIn = DROP_IN,
  ) {}

  async read(): Promise<string> {
    return /^NTP=(.*)$/m.exec((await readOwnFile(this.dropIn)) ?? '')?.[1]?.trim() ?? '';
  }

  async set(server: string): Promise<void> {
    const before = await readOwnFile(this.dropIn);
    const wasOn = await this.bus.property(TIMEDATED, 'NTP');
    await writeOwnFile(
      this.dropIn,
      `# Written by Singulate: the NTP server of the reader.\n[Time]\nNTP=${server}\n`,
    );
    try {
      await this.#switch(true);
      await this.#restart();
    } catch (error) {
      await writeOwnFile(this.dropIn, before);
      // As far as the services still answer, they are as they were.
      if (!wasOn) await this.#switch(false).catch(() => {});
      else await this.#restart().catch(() => {});
      throw error;
    }
  }

  /** It does not tell how often it was answered: who asks the server itself knows better. */
  async figures(): Promise<undefined> {
    return undefined;
  }

  async #switch(on: boolean): Promise<void> {
    await this.bus.call(TIMEDATED, 'SetNTP', 'bb', [on, NOT_INTERACTIVE]);
  }

  async #restart(): Promise<void> {
    await this.bus.call(SYSTEMD, 'RestartUnit', 'ss', [UNIT, 'replace']);
  }
}
