/** Reboots that clients ask for: a client that asks again and again does not keep the reader from its work. */
import type { PowerAdapter } from '../../platform/adapters.js';
import { SingulateError } from '../../shared/errors.js';

/** Seconds that a reader is up before it may be rebooted, unless it is told otherwise. */
export const LEAST_UPTIME_S = 30;

export class Reboots {
  readonly #leastUptimeS: number;
  readonly #beganMs = performance.now();

  constructor(leastUptimeS: number) {
    this.#leastUptimeS = leastUptimeS;
  }

  /**
   * @returns Reboots.
   * @throws STATE if the last boot was a moment ago; UNAVAILABLE if the system cannot reboot.
   */
  async prepare(power: PowerAdapter): Promise<() => Promise<void>> {
    // The device may count its uptime by a clock that was set back: it is never less than ours.
    const ownS = (performance.now() - this.#beganMs) / 1000;
    const uptimeS = Math.max(power.uptimeSeconds(), ownS);
    const waitS = Math.ceil(this.#leastUptimeS - uptimeS);
    if (waitS > 0) {
      const text =
        `the reader booted ${Math.floor(uptimeS)} s ago: it can be rebooted in ${waitS} s, ` +
        `${this.#leastUptimeS} s after a boot`;
      throw new SingulateError('STATE', text, [], waitS);
    }
    return power.prepareReboot();
  }
}
