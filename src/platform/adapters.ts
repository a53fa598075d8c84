/**
 * What the services can change of the machine they run on: one interface for each thing, with an
 * emulated device and a Linux system that implement it. Every call that fails throws UNAVAILABLE, with
 * one line for people, and has then changed nothing; clients get that as the answer.
 *
 * Calls come on the event loop of the gateway, in any order and at any time until close(), several at once too
 * (two clients): none may block, and each ends, in error at the latest when its system service does not answer for a
 * while. What is asked is already checked (a host name, an IANA zone, addresses).
 */

import type { Logger } from '../shared/log.js';
import type { StateFaults } from '../shared/state-faults.js';
import type { NtpFigures } from './ntp-watch.js';
import type { UpdateEngine } from './update-engine.js';

/** Read at the start too, where an error costs a warning and the name is unknown. */
export interface HostNameAdapter {
  read(): Promise<string>;
  /** Only another name than read() says. In force, and kept over a reboot, when it resolves. */
  set(name: string): Promise<void>;
}

/** Zones by their IANA names. */
export interface TimeZoneAdapter {
  /** '' = the machine does not know its zone by a name: the gateway stays with the one it began with. */
  read(): Promise<string>;
  /** In force, and kept over a reboot, when it resolves; the gateway then takes it up itself. */
  set(zone: string): Promise<void>;
}

export interface NtpAdapter {
  /** '' = none is configured here. */
  read(): Promise<string>;
  set(server: string): Promise<void>;
  /** How well the time service is served; undefined: it does not say. Asked for each status; an error counts as undefined. */
  figures(): Promise<NtpFigures | undefined>;
}

export const INTERFACE_NAMES = ['eth0', 'mlan0'] as const;
export type InterfaceName = (typeof INTERFACE_NAMES)[number];

/** IPv4 of an interface: as it was set, or with DHCP as it was given. '' = there is none. */
export interface Ipv4 {
  dhcp: boolean;
  ipAddress: string;
  subnetMask: string;
  gatewayAddress: string;
  dnsAddress: string;
  domainName: string;
}

export interface InterfaceSettings {
  isEnabled: boolean;
  ipv4: Ipv4;
  /** DHCP and router advertisements; false = no IPv6 but the link's own. */
  ipv6Dhcp: boolean;
  /** Of a wireless interface. */
  accessPoint?: { essid: string; autoConn: boolean };
}

export interface InterfaceState extends InterfaceSettings {
  macAddress: string;
}

export type NetworkState = Partial<Record<InterfaceName, InterfaceState>>;
export type NetworkChange = Partial<Record<InterfaceName, InterfaceSettings>>;

export interface NetworkAdapter {
  /** The interfaces that the machine has. Asked for the capabilities too, where an error counts as none. */
  read(): Promise<NetworkState>;
  /**
   * Stores the settings of all interfaces that are named, or of none.
   * @returns Puts them in force: a step of its own, because it may cut the connection that the
   * client waits on. Called once, after the answer, so an error is only logged: the settings before then hold again.
   */
  store(change: NetworkChange): Promise<() => Promise<void>>;
}

export interface PowerAdapter {
  /** Of the machine. Answers at once, and never throws. */
  uptimeSeconds(): number;
  /** Identity of this boot: reading and applications that end with a boot are known by it. '' = not known. */
  readonly bootId: string;
  /**
   * Makes sure that a reboot is possible. An error refuses the request that wants one.
   * @returns Reboots. Called once, after the answer to a client; an error is logged, and the reader goes on.
   */
  prepareReboot(): Promise<() => Promise<void>>;
}

export const LED_COLORS = ['RED', 'AMBER', 'GREEN'] as const;
export type LedColor = (typeof LED_COLORS)[number];

export interface Led {
  /** Those that it can show, beside being off. */
  readonly colors: readonly LedColor[];
  /**
   * The next call comes when one has ended, or has failed: also by taking more than 2 s. Blinking is many of them.
   * UNAVAILABLE: the same is asked again, ever later. Any other error: not before another is wanted.
   */
  set(color: LedColor | 'OFF'): Promise<void>;
}

export interface PlatformOptions {
  /** Where the emulated device keeps what it is told; it never touches the machine. */
  stateDir: string;
  /** Of this boot of the machine, as who starts the service knows it; '' = nobody does. */
  bootId: string;
  /** PEM file of those whose bundles the emulated device takes; default in the state folder. */
  trusted?: string | undefined;
  /** Boots of a version on trial of the emulated device; default 3. */
  maxBoots?: number | undefined;
  /** Which LEDs a Linux system has, see docs/gpio-led.md; left out: the usual names. */
  leds?: string | undefined;
  /** Takes files of the emulated device that cannot be used; left out: they are errors. */
  faults?: StateFaults;
  log: Logger;
}

export interface Platform {
  hostName: HostNameAdapter;
  timeZone: TimeZoneAdapter;
  ntp: NtpAdapter;
  network: NetworkAdapter;
  power: PowerAdapter;
  /** In the order of their numbers, which begin at 1. */
  leds: readonly Led[];
  update: UpdateEngine;
  /** True if the services must restart themselves after power.prepareReboot()(). */
  emulated: boolean;
  /** The last call, once everything that uses the platform has ended. Lets go of connections; never throws. */
  close(): void;
}
