/** The part of a NetworkManager profile that an interface's settings are. Pure. */
import { endianness } from 'node:os';
import { Variant } from '@jellybrick/dbus-next';
import type { InterfaceName, InterfaceSettings, Ipv4 } from '../adapters.js';
import { maskOf, prefixOf } from './subnet-mask.js';
import { plain, type VariantDict } from './system-bus.js';

/** Settings of a profile, by group (a{sa{sv}}). */
export type Profile = Record<string, VariantDict>;

export function newProfile(name: InterfaceName): Profile {
  const wireless = name === 'mlan0';
  const connection: VariantDict = {
    id: new Variant('s', `Singulate ${name}`),
    type: new Variant('s', wireless ? '802-11-wireless' : '802-3-ethernet'),
    'interface-name': new Variant('s', name),
  };
  return wireless ? { connection } : { connection, '802-3-ethernet': {} };
}

/** Old spellings of what is set below: beside the new ones they would be set as well. */
const REPLACED = [
  'addresses',
  'address-data',
  'gateway',
  'dns',
  'dns-data',
  'dns-search',
  'method',
] as const;

/** A copy of the profile with the settings. All else in it stays, secrets included. */
export function withSettings(profile: Profile, settings: InterfaceSettings): Profile {
  const { ipv4, ipv6Dhcp, isEnabled, accessPoint } = settings;
  const kept = Object.entries(profile.ipv4 ?? {}).filter(
    ([key]) => !REPLACED.includes(key as (typeof REPLACED)[number]),
  );
  const starts = isEnabled && (accessPoint?.autoConn ?? true);
  const next: Profile = {
    ...profile,
    connection: { ...profile.connection, autoconnect: new Variant('b', starts) },
    ipv4: { ...Object.fromEntries(kept), ...ipv4Group(ipv4) },
    ipv6: { ...profile.ipv6, method: new Variant('s', ipv6Dhcp ? 'auto' : 'link-local') },
  };
  if (accessPoint !== undefined) {
    const ssid = new Variant('ay', Buffer.from(accessPoint.essid));
    next['802-11-wireless'] = { ...profile['802-11-wireless'], ssid };
  }
  return next;
}

function ipv4Group({ dhcp, ...addresses }: Ipv4): VariantDict {
  if (dhcp) return { method: new Variant('s', 'auto') };
  const { ipAddress, subnetMask, gatewayAddress, dnsAddress, domainName } = addresses;
  const address: VariantDict = {
    address: new Variant('s', ipAddress),
    prefix: new Variant('u', prefixOf(subnetMask)),
  };
  return {
    method: new Variant('s', 'manual'),
    'address-data': new Variant('aa{sv}', [address]),
    gateway: new Variant('s', gatewayAddress),
    dns: new Variant('au', [networkOrder(dnsAddress)]),
    ...(domainName === '' ? {} : { 'dns-search': new Variant('as', [domainName]) }),
  };
}

/** NetworkManager takes the four bytes as they lie in memory for a number of this machine. */
function networkOrder(address: string): number {
  const bytes = Buffer.from(address.split('.').map(Number));
  return endianness() === 'LE' ? bytes.readUInt32LE(0) : bytes.readUInt32BE(0);
}

/** What the profile itself says of IPv4. */
export function ipv4Of(profile: Profile): Ipv4 {
  const group = plain(profile.ipv4 ?? {}) as Ipv4Group;
  const [address] = group['address-data'] ?? [];
  const [dns] = group.dns ?? [];
  return {
    dhcp: (group.method ?? 'auto') === 'auto',
    ipAddress: address?.address ?? '',
    subnetMask: address === undefined ? '' : maskOf(address.prefix),
    gatewayAddress: group.gateway ?? '',
    dnsAddress: dns === undefined ? '' : addressOf(dns),
    domainName: group['dns-search']?.[0] ?? '',
  };
}

/** As far as it is read here. */
interface Ipv4Group {
  method?: string;
  'address-data'?: { address: string; prefix: number }[];
  gateway?: string;
  dns?: number[];
  'dns-search'?: string[];
}

function addressOf(number: number): string {
  const bytes = Buffer.alloc(4);
  if (endianness() === 'LE') bytes.writeUInt32LE(number);
  else bytes.writeUInt32BE(number);
  return [...bytes].join('.');
}

/** Of org.freedesktop.NetworkManager.IP4Config, as far as it is read here. */
export interface Ip4Config {
  AddressData?: { address: string; prefix: number }[];
  Gateway?: string;
  NameserverData?: { address: string }[];
  Domains?: string[];
}

/** What an interface has at the moment. */
export function ipv4InForce(config: Ip4Config): Omit<Ipv4, 'dhcp'> {
  const [address] = config.AddressData ?? [];
  return {
    ipAddress: address?.address ?? '',
    subnetMask: address === undefined ? '' : maskOf(address.prefix),
    gatewayAddress: config.Gateway ?? '',
    dnsAddress: config.NameserverData?.[0]?.address ?? '',
    domainName: config.Domains?.[0] ?? '',
  };
}
