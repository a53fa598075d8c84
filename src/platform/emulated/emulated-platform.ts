/**
 * The emulated device: a reader on a developer's machine. It has settings of its own, which
 * survive a restart, and never touches those of the machine.
 */
import { join } from 'node:path';
import type { Platform, PlatformOptions, PowerAdapter } from '../adapters.js';
import { readHostName } from '../identity.js';
import { readTimeZone } from '../time-zone.js';
import { machineUptimeSeconds } from '../uptime.js';
import { DeviceFile } from './device-state.js';
import { EmulatedLed } from './emulated-led.js';
import { EmulatedNetwork } from './emulated-network.js';
import { EmulatedEngine } from './update/emulated-engine.js';

export async function openEmulatedPlatform(options: PlatformOptions): Promise<Platform> {
  const { stateDir, trusted, maxBoots, log } = options;
  const file = await DeviceFile.load(stateDir, options.faults);
  const bootId = bootIdOf(options.bootId, file);
  const folder = join(stateDir, 'update');
  return {
    hostName: {
      read: async () => file.present.hostName ?? readHostName(),
      set: (hostName) => file.change(() => ({ hostName })),
    },
    timeZone: {
      read: async () => file.present.timeZone ?? readTimeZone(),
      set: (timeZone) => file.change(() => ({ timeZone })),
    },
    ntp: {
      read: async () => file.present.ntpServer ?? '',
      set: (ntpServer) => file.change(() => ({ ntpServer })),
      figures: async () => undefined,
    },
    network: new EmulatedNetwork(file),
    leds: [new EmulatedLed(), new EmulatedLed(), new EmulatedLed()],
    power: power(file, bootId),
    update: new EmulatedEngine({
      folder: join(folder, 'device'),
      trusted: trusted ?? join(folder, 'trusted.pem'),
      // Where nobody tells boots apart each start is one, as after a power cut.
      bootId: options.bootId === '' ? '' : bootId,
      faults: options.faults,
      log,
      ...(maxBoots === undefined ? {} : { maxBoots }),
    }),
    emulated: true,
    close: () => {},
  };
}

/** A boot of the machine is one of the device, and so is each reboot of the device by itself. */
function bootIdOf(machine: string, file: DeviceFile): string {
  const { reboots = 0 } = file.present;
  return reboots === 0 ? machine : `${machine} reboot ${reboots}`.trim();
}

function power(file: DeviceFile, bootId: string): PowerAdapter {
  const { bootedMs = 0 } = file.present;
  const ownBootMs = () => Math.max(bootedMs, file.present.bootedMs ?? 0);
  return {
    // A machine that was booted later took its emulated device with it.
    uptimeSeconds: () =>
      Math.max(0, Math.min(machineUptimeSeconds(), (Date.now() - ownBootMs()) / 1000)),
    bootId,
    prepareReboot: async () => () =>
      file.change((state) => ({ reboots: (state.reboots ?? 0) + 1, bootedMs: Date.now() })),
  };
}
