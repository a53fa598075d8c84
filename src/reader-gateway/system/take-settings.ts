import type { Platform } from '../../platform/adapters.js';
import { useTimeZone } from '../../platform/clock.js';
import type { NtpWatch } from '../../platform/ntp-watch.js';
import { errorMessage } from '../../shared/errors.js';
import type { Logger } from '../../shared/log.js';
import type { Machine } from '../operations/machine.js';

/** What the services themselves need of the settings of the system. */
export async function takeSettings(
  platform: Platform,
  machine: Machine,
  ntp: NtpWatch,
  log: Logger,
): Promise<void> {
  const parts = [
    platform.hostName.read().then((name) => {
      machine.hostName = name;
    }),
    platform.timeZone.read().then((zone) => {
      // Where the system does not know its zone by name, the times stay as they are.
      if (zone !== '') useTimeZone(zone);
    }),
    platform.ntp.read().then((server) => ntp.watch(server)),
  ];
  // A reader reads tags also while a system service is away.
  for (const { status, reason } of (await Promise.allSettled(parts)) as PromiseRejectedResult[]) {
    if (status === 'rejected') log.warn({ reason: errorMessage(reason) }, 'a setting is unknown');
  }
}
