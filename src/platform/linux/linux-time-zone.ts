/** The time zone, by systemd-timedated. */
import type { TimeZoneAdapter } from '../adapters.js';
import type { SystemBus } from './system-bus.js';

export const TIMEDATED = {
  destination: 'org.freedesktop.timedate1',
  path: '/org/freedesktop/timedate1',
  interface: 'org.freedesktop.timedate1',
};
/** Nobody is there to be asked for a password. */
const NOT_INTERACTIVE = false;

export class LinuxTimeZone implements TimeZoneAdapter {
  constructor(private readonly bus: SystemBus) {}

  async read(): Promise<string> {
    return String(await this.bus.property(TIMEDATED, 'Timezone'));
  }

  async set(zone: string): Promise<void> {
    await this.bus.call(TIMEDATED, 'SetTimezone', 'sb', [zone, NOT_INTERACTIVE]);
  }
}
