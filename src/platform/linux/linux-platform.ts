/**
 * A Linux system: hostnamed, timedated, timesyncd, NetworkManager and logind, over D-Bus; LEDs by
 * sysfs.
 */
import { uptime } from 'node:os';
import type { Platform } from '../adapters.js';
import { LinuxHostName } from './linux-host-name.js';
import { openLeds } from './linux-led.js';
import { LinuxNetwork } from './linux-network.js';
import { LinuxNtp } from './linux-ntp.js';
import { LinuxPower } from './linux-power.js';
import { LinuxTimeZone } from './linux-time-zone.js';
import { SystemBus } from './system-bus.js';

/** @param leds As --leds has them; left out: those of the usual names. @throws CONFIG */
export function openLinuxPlatform(leds?: string, bus = new SystemBus()): Platform {
  return {
    hostName: new LinuxHostName(bus),
    timeZone: new LinuxTimeZone(bus),
    ntp: new LinuxNtp(bus),
    network: new LinuxNetwork(bus),
    power: new LinuxPower(bus, uptime),
    leds: openLeds(leds),
    emulated: false,
    close: () => bus.close(),
  };
}
