/**
 * What the services can change of the machine they run on: one interface for each thing, with an
 * emulated device and a Linux system behind it. Every call that fails throws UNAVAILABLE, and has
 * then changed nothing.
 */

import type { Logger } from '../shared/log.js';
import type { StateFaults } from '../shared/state-faults.js';
import type { NtpFigures } from './ntp-watch.js';
import type { UpdateEngine } from './update-engine.js';

export interface HostNameAdapter {
  read(): Promise<string>;
  set(name: string): Promise<void>;
}

/** Zones by their IANA names. */
export interface TimeZoneAdapter {
  read(): Promise<string>;
  set(zone: string): Promise<void>;
}

export interface NtpAdapter {
  /** '' = none is configured here. */
  read(): Promise<string>;
  set(server: string): Promise<void>;
  /** How well the time service is served; undefined: it does not say. */
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
  /** The interfaces that the machine has. */
  read(): Promise<NetworkState>;
  /**
   * Stores the settings of all interfaces that are named, or of none.
   * @returns Puts them in force: a step of its own, because it may cut the connection that the
   * client waits on. Fails without a change: then the settings before hold again.
   */
  store(change: NetworkChange): Promise<() => Promise<void>>;
}

export interface PowerAdapter {
  uptimeSeconds(): number;
  /** Identity of this boot. */
  readonly bootId: string;
  /** Makes sure that a reboot is possible. @returns Reboots. */
  prepareReboot(): Promise<() => Promise<void>>;
}

export const LED_COLORS = ['RED', 'AMBER', 'GREEN'] as const;
export type LedColor = (typeof LED_COLORS)[number];

export interface Led {
  /** Those that it can show, beside being off. */
  readonly colors: readonly LedColor[];
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
  close(): void;
}
