/** The host name, by systemd-hostnamed. */
import type { HostNameAdapter } from '../adapters.js';
import type { SystemBus } from './system-bus.js';

const HOSTNAMED = {
  destination: 'org.freedesktop.hostname1',
  path: '/org/freedesktop/hostname1',
  interface: 'org.freedesktop.hostname1',
};
/** Nobody is there to be asked for a password. */
const NOT_INTERACTIVE = false;

export class LinuxHostName implements HostNameAdapter {
  constructor(private readonly bus: SystemBus) {}

  async read(): Promise<string> {
    const stored = String(await this.bus.property(HOSTNAMED, 'StaticHostname'));
    return stored === '' ? String(await this.bus.property(HOSTNAMED, 'Hostname')) : stored;
  }

  /** The stored name; hostnamed sets the present one with it. */
  async set(name: string): Promise<void> {
    await this.bus.call(HOSTNAMED, 'SetStaticHostname', 'sb', [name, NOT_INTERACTIVE]);
  }
}
