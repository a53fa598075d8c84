/**
 * The emulated device: a reader on a developer's machine. It has settings of its own, which
 * survive a restart, and never touches those of the machine.
 */

import type { Platform, PowerAdapter } from '../adapters.js';
import { readHostName } from '../identity.js';
import { machineUptimeSeconds } from '../uptime.js';
import { DeviceFile } from './device-state.js';
import { EmulatedNetwork } from './emulated-network.js';

export async function openEmulatedPlatform(stateDir: string): Promise<Platform> {
  const file = await DeviceFile.load(stateDir);
  return {
    hostName: {
      read: async () => file.present.hostName ?? readHostName(),
      set: (hostName) => file.change(() => ({ hostName })),
    },
    timeZone: {
      read: async () => file.present.timeZone ?? ownTimeZone(),
      set: (timeZone) => file.change(() => ({ timeZone })),
    },
    ntp: {
      read: async () => file.present.ntpServer ?? '',
      set: (ntpServer) => file.change(() => ({ ntpServer })),
    },
    network: new EmulatedNetwork(file),
    power: power(file),
    emulated: true,
    close: () => {},
  };
}

/** Of the process: the machine's, unless TZ says another one. */
function ownTimeZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

function power(file: DeviceFile): PowerAdapter {
  const { reboots = 0, bootedMs = 0 } = file.present;
  const ownBootMs = () => Math.max(bootedMs, file.present.bootedMs ?? 0);
  return {
    // A machine that was booted later took its emulated device with it.
    uptimeSeconds: () =>
      Math.max(0, Math.min(machineUptimeSeconds(), (Date.now() - ownBootMs()) / 1000)),
    bootId: reboots === 0 ? '' : `reboot ${reboots}`,
    prepareReboot: async () => () =>
      file.change((state) => ({ reboots: (state.reboots ?? 0) + 1, bootedMs: Date.now() })),
  };
}
