/**
 * The NTP server, by systemd-timesyncd: a drop-in file of our own names it, and the service is
 * restarted. The D-Bus interface of timesyncd can only set servers that a restart forgets.
 */
import { readFile, rm } from 'node:fs/promises';
import { writeFileAtomic } from '../../shared/atomic-file.js';
import { errorMessage, SingulateError } from '../../shared/errors.js';
import type { NtpAdapter } from '../adapters.js';
import { TIMEDATED } from './linux-time-zone.js';
import type { SystemBus } from './system-bus.js';

export const DROP_IN = '/etc/systemd/timesyncd.conf.d/50-singulate.conf';
const UNIT = 'systemd-timesyncd.service';
const SYSTEMD = {
  destination: 'org.freedesktop.systemd1',
  path: '/org/freedesktop/systemd1',
  interface: 'org.freedesktop.systemd1.Manager',
};
const NOT_INTERACTIVE = false;
/** timesyncd runs as a user of its own. */
const READABLE = 0o644;

export class LinuxNtp implements NtpAdapter {
  constructor(
    private readonly bus: SystemBus,
    private readonly dropIn = DROP_IN,
  ) {}

  async read(): Promise<string> {
    return /^NTP=(.*)$/m.exec((await this.#stored()) ?? '')?.[1]?.trim() ?? '';
  }

  async set(server: string): Promise<void> {
    const before = await this.#stored();
    const wasOn = await this.bus.property(TIMEDATED, 'NTP');
    await this.#store(
      `# Written by Singulate: the NTP server of the reader.\n[Time]\nNTP=${server}\n`,
    );
    try {
      await this.#switch(true);
      await this.#restart();
    } catch (error) {
      await this.#store(before);
      // As far as the services still answer, they are as they were.
      if (!wasOn) await this.#switch(false).catch(() => {});
      else await this.#restart().catch(() => {});
      throw error;
    }
  }

  async #switch(on: boolean): Promise<void> {
    await this.bus.call(TIMEDATED, 'SetNTP', 'bb', [on, NOT_INTERACTIVE]);
  }

  async #restart(): Promise<void> {
    await this.bus.call(SYSTEMD, 'RestartUnit', 'ss', [UNIT, 'replace']);
  }

  async #stored(): Promise<string | undefined> {
    try {
      return await readFile(this.dropIn, 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw this.#unavailable(error);
    }
  }

  async #store(content: string | undefined): Promise<void> {
    try {
      if (content === undefined) await rm(this.dropIn, { force: true });
      else await writeFileAtomic(this.dropIn, content, READABLE);
    } catch (error) {
      throw this.#unavailable(error);
    }
  }

  #unavailable(error: unknown): SingulateError {
    return new SingulateError('UNAVAILABLE', `${this.dropIn}: ${errorMessage(error)}`);
  }
}
