/** Reboots, by systemd-logind. */
import { SingulateError } from '../../shared/errors.js';
import type { PowerAdapter } from '../adapters.js';
import type { SystemBus } from './system-bus.js';

const LOGIND = {
  destination: 'org.freedesktop.login1',
  path: '/org/freedesktop/login1',
  interface: 'org.freedesktop.login1.Manager',
};
const NOT_INTERACTIVE = false;

export class LinuxPower implements PowerAdapter {
  constructor(
    private readonly bus: SystemBus,
    readonly bootId: string,
    readonly uptimeSeconds: () => number,
  ) {}

  async prepareReboot(): Promise<() => Promise<void>> {
    const can = await this.bus.call(LOGIND, 'CanReboot');
    if (can !== 'yes') {
      throw new SingulateError('UNAVAILABLE', `this service may not reboot the system: ${can}`);
    }
    return async () => {
      await this.bus.call(LOGIND, 'Reboot', 'b', [NOT_INTERACTIVE]);
    };
  }
}
