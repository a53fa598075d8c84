/** A Linux system: hostnamed, timedated, timesyncd, NetworkManager and logind, over D-Bus. */

import type { Platform } from '../adapters.js';
import { machineUptimeSeconds } from '../uptime.js';
import { LinuxHostName } from './linux-host-name.js';
import { LinuxNetwork } from './linux-network.js';
import { LinuxNtp } from './linux-ntp.js';
import { LinuxPower } from './linux-power.js';
import { LinuxTimeZone } from './linux-time-zone.js';
import { SystemBus } from './system-bus.js';

export function openLinuxPlatform(bus = new SystemBus()): Platform {
  return {
    hostName: new LinuxHostName(bus),
    timeZone: new LinuxTimeZone(bus),
    ntp: new LinuxNtp(bus),
    network: new LinuxNetwork(bus),
    power: new LinuxPower(bus, machineUptimeSeconds),
    emulated: false,
    close: () => bus.close(),
  };
}
