/** A Linux system: hostnamed, timedated, its time and network services, logind and RAUC; LEDs by sysfs. */
import type { Platform, PlatformOptions } from '../adapters.js';
import { machineUptimeSeconds } from '../uptime.js';
import { LinuxHostName } from './linux-host-name.js';
import { openLeds } from './linux-led.js';
import { LinuxNetwork } from './linux-network.js';
import { LinuxNtp } from './linux-ntp.js';
import { LinuxPower } from './linux-power.js';
import { LinuxTimeZone } from './linux-time-zone.js';
import { Rauc } from './rauc.js';
import { SystemBus } from './system-bus.js';

/** @throws CONFIG for LEDs that cannot be. */
export function openLinuxPlatform({ bootId, leds, log }: PlatformOptions): Platform {
  const bus = new SystemBus();
  return {
    hostName: new LinuxHostName(bus),
    timeZone: new LinuxTimeZone(bus),
    ntp: new LinuxNtp(bus),
    network: new LinuxNetwork(bus),
    power: new LinuxPower(bus, bootId, machineUptimeSeconds),
    update: new Rauc(bus, log),
    leds: openLeds(leds),
    emulated: false,
    close: () => bus.close(),
  };
}
