/** The NTP server, by the time service that this system has: timesyncd or chrony. */
import type { NtpAdapter } from '../adapters.js';
import type { NtpFigures } from '../ntp-watch.js';
import { Chrony } from './chrony.js';
import type { SystemBus, Target } from './system-bus.js';
import { SYSTEMD, Timesyncd } from './timesyncd.js';

const TIMESYNCD = 'org.freedesktop.timesync1';
/** chrony has no name on the bus. Distributions do not agree on that of its unit. */
const CHRONY_UNITS = ['chronyd.service', 'chrony.service'];

export class LinuxNtp implements NtpAdapter {
  constructor(
    private readonly bus: SystemBus,
    private readonly timesyncd: NtpAdapter = new Timesyncd(bus),
    private readonly chrony: NtpAdapter = new Chrony(),
  ) {}

  async read(): Promise<string> {
    return (await this.#present()).read();
  }

  async set(server: string): Promise<void> {
    await (await this.#present()).set(server);
  }

  async figures(): Promise<NtpFigures | undefined> {
    return (await this.#present()).figures();
  }

  /** Asked each time: a service may come up after this one. timesyncd may be there switched off. */
  async #present(): Promise<NtpAdapter> {
    if (await this.bus.hasOwner(TIMESYNCD)) return this.timesyncd;
    for (const unit of CHRONY_UNITS) {
      if (await this.#isActive(unit)) return this.chrony;
    }
    return this.timesyncd;
  }

  async #isActive(name: string): Promise<boolean> {
    try {
      const path = String(await this.bus.call(SYSTEMD, 'GetUnit', 's', [name]));
      const unit: Target = { ...SYSTEMD, path, interface: 'org.freedesktop.systemd1.Unit' };
      return (await this.bus.property(unit, 'ActiveState')) === 'active';
    } catch {
      // There is no such unit, or no systemd to ask.
      return false;
    }
  }
}
