/** The part of a NetworkManager profile that an interface's settings are. Pure. */
import { endianness } from 'node:os';
import type { InterfaceName, InterfaceSettings, Ipv4 } from '../adapters.js';
import { dictOf, sameVariant, type Variant, type VariantDict } from './system-bus.js';

/** Settings of a profile, by group, as they are written. */
export type Profile = Record<string, VariantDict>;

/** A profile that was read (a{sa{sv}}), ready to be written back. */
export function profileOf(groups: unknown): Profile {
  return Object.fromEntries(
    (groups as [string, [string, unknown][]][]).map(([group, settings]) => [
      group,
      Object.fromEntries(settings.map(([key, variant]) => [key, sameVariant(variant)])),
    ]),
  );
}

export function newProfile(name: InterfaceName): Profile {
  const wireless = name === 'mlan0';
  const connection: VariantDict = {
    id: ['s', `Singulate ${name}`],
    type: ['s', wireless ? '802-11-wireless' : '802-3-ethernet'],
    'interface-name': ['s', name],
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
    connection: { ...profile.connection, autoconnect: ['b', starts] },
    ipv4: { ...Object.fromEntries(kept), ...ipv4Group(ipv4) },
    ipv6: { ...profile.ipv6, method: ['s', ipv6Dhcp ? 'auto' : 'link-local'] },
  };
  if (accessPoint !== undefined) {
    const ssid: Variant = ['ay', Buffer.from(accessPoint.essid)];
    next['802-11-wireless'] = { ...profile['802-11-wireless'], ssid };
  }
  return next;
}

function ipv4Group({ dhcp, ...addresses }: Ipv4): VariantDict {
  if (dhcp) return { method: ['s', 'auto'] };
  const { ipAddress, subnetMask, gatewayAddress, dnsAddress, domainName } = addresses;
  const address: [string, Variant][] = [
    ['address', ['s', ipAddress]],
    ['prefix', ['u', prefixOf(subnetMask)]],
  ];
  return {
    method: ['s', 'manual'],
    'address-data': ['aa{sv}', [address]],
    gateway: ['s', gatewayAddress],
    dns: ['au', [networkOrder(dnsAddress)]],
    ...(domainName === '' ? {} : { 'dns-search': ['as', [domainName]] }),
  };
}

/** NetworkManager takes the four bytes as they lie in memory for a number of this machine. */
function networkOrder(address: string): number {
  const bytes = Buffer.from(address.split('.').map(Number));
  return endianness() === 'LE' ? bytes.readUInt32LE(0) : bytes.readUInt32BE(0);
}

function prefixOf(mask: string): number {
  const bits = mask.split('.').map((part) => Number(part).toString(2).padStart(8, '0'));
  return bits.join('').lastIndexOf('1') + 1;
}

export function maskOf(prefix: number): string {
  const bits = '1'.repeat(prefix).padEnd(32, '0');
  return [0, 8, 16, 24].map((at) => Number.parseInt(bits.slice(at, at + 8), 2)).join('.');
}

/** What the profile itself says of IPv4. */
export function ipv4Of({ ipv4 = {} }: Profile): Ipv4 {
  const data = (ipv4['address-data']?.[1] ?? []) as [string, Variant][][];
  const first = new Map(data[0]);
  const prefix = first.get('prefix')?.[1];
  const dns = (ipv4.dns?.[1] ?? []) as number[];
  const search = (ipv4['dns-search']?.[1] ?? []) as string[];
  return {
    dhcp: (ipv4.method?.[1] ?? 'auto') === 'auto',
    ipAddress: String(first.get('address')?.[1] ?? ''),
    subnetMask: prefix === undefined ? '' : maskOf(Number(prefix)),
    gatewayAddress: String(ipv4.gateway?.[1] ?? ''),
    dnsAddress: dns[0] === undefined ? '' : addressOf(dns[0]),
    domainName: search[0] ?? '',
  };
}

function addressOf(number: number): string {
  const bytes = Buffer.alloc(4);
  if (endianness() === 'LE') bytes.writeUInt32LE(number);
  else bytes.writeUInt32BE(number);
  return [...bytes].join('.');
}

/** What an interface has at the moment, of its Ip4Config (a{sv} of org.freedesktop.DBus.Properties). */
export function ipv4InForce(config: Record<string, unknown>): Omit<Ipv4, 'dhcp'> {
  const [address] = (config.AddressData ?? []) as [string, unknown][][];
  const [server] = (config.NameserverData ?? []) as [string, unknown][][];
  const [domain] = (config.Domains ?? []) as string[];
  const own = address === undefined ? {} : dictOf(address);
  const dns = server === undefined ? {} : dictOf(server);
  return {
    ipAddress: String(own.address ?? ''),
    subnetMask: own.prefix === undefined ? '' : maskOf(Number(own.prefix)),
    gatewayAddress: String(config.Gateway ?? ''),
    dnsAddress: String(dns.address ?? ''),
    domainName: domain ?? '',
  };
}
