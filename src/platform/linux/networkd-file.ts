/** The .network file of an interface that systemd-networkd reads, and what a link has. Pure. */
import type { InterfaceName, InterfaceSettings, Ipv4 } from '../adapters.js';
import { maskOf, prefixOf } from './subnet-mask.js';

/** @param settings Checked: what is in them goes into the file as it is. */
export function networkFile(name: InterfaceName, settings: InterfaceSettings): string {
  const { isEnabled, ipv4, ipv6Dhcp } = settings;
  const dhcp = ipv4.dhcp ? (ipv6Dhcp ? 'yes' : 'ipv4') : ipv6Dhcp ? 'ipv6' : 'no';
  const lines = [
    '# Written by Singulate: the network settings of the reader.',
    '[Match]',
    `Name=${name}`,
    '',
    '[Link]',
    `ActivationPolicy=${isEnabled ? 'up' : 'always-down'}`,
    '',
    '[Network]',
    `DHCP=${dhcp}`,
    `IPv6AcceptRA=${ipv6Dhcp ? 'yes' : 'no'}`,
  ];
  if (!ipv4.dhcp) {
    lines.push(
      `Address=${ipv4.ipAddress}/${prefixOf(ipv4.subnetMask)}`,
      `Gateway=${ipv4.gatewayAddress}`,
      `DNS=${ipv4.dnsAddress}`,
    );
    if (ipv4.domainName !== '') lines.push(`Domains=${ipv4.domainName}`);
  }
  return `${lines.join('\n')}\n`;
}

/** What our own file says. */
export function settingsOf(file: string): Pick<InterfaceSettings, 'ipv4' | 'ipv6Dhcp'> {
  const value = (key: string) => new RegExp(`^${key}=(.*)$`, 'm').exec(file)?.[1] ?? '';
  const dhcp = value('DHCP');
  const [ipAddress = '', prefix] = value('Address').split('/');
  return {
    ipv4: {
      dhcp: dhcp === 'yes' || dhcp === 'ipv4',
      ipAddress,
      subnetMask: prefix === undefined ? '' : maskOf(Number(prefix)),
      gatewayAddress: value('Gateway'),
      dnsAddress: value('DNS'),
      domainName: value('Domains'),
    },
    ipv6Dhcp: dhcp === 'yes' || dhcp === 'ipv6',
  };
}

/** The answer of DescribeLink, as far as it is read here. Addresses are lists of bytes. */
export interface LinkDescription {
  /** configured, configuring, failed, unmanaged ... */
  SetupState?: string;
  /** off, no-carrier, degraded, routable ... */
  OperationalState?: string;
  /** The file that the link is set up by. */
  NetworkFile?: string;
  SSID?: string;
  Addresses?: {
    Family: number;
    Address: number[];
    PrefixLength: number;
    ConfigSource?: string;
  }[];
  Routes?: { Family: number; DestinationPrefixLength?: number; Gateway?: number[] }[];
  DNS?: { Family: number; Address: number[] }[];
  SearchDomains?: { Domain: string }[];
}

const IPV4 = 2;
const FROM_DHCP = 'DHCPv4';

/** What a link has at the moment; undefined: no IPv4 address. */
export function ipv4InForce(link: LinkDescription): Ipv4 | undefined {
  const ofIpv4 = <T extends { Family: number }>(list: T[] = []) =>
    list.filter(({ Family }) => Family === IPV4);
  // One of the link's own making is none that was set or given.
  const address = ofIpv4(link.Addresses).find(({ Address: [a, b] }) => a !== 169 || b !== 254);
  if (address === undefined) return undefined;
  const gateway = ofIpv4(link.Routes).find(
    ({ DestinationPrefixLength = 0, Gateway }) => DestinationPrefixLength === 0 && Gateway,
  );
  return {
    dhcp: address.ConfigSource === FROM_DHCP,
    ipAddress: address.Address.join('.'),
    subnetMask: maskOf(address.PrefixLength),
    gatewayAddress: gateway?.Gateway?.join('.') ?? '',
    dnsAddress: ofIpv4(link.DNS)[0]?.Address.join('.') ?? '',
    domainName: link.SearchDomains?.[0]?.Domain ?? '',
  };
}

/** Is the link as the settings want it? */
export function isInForce(link: LinkDescription, { isEnabled, ipv4 }: InterfaceSettings): boolean {
  if (!isEnabled) return link.OperationalState === 'off';
  const now = ipv4InForce(link);
  return (
    link.SetupState === 'configured' &&
    now?.dhcp === ipv4.dhcp &&
    (ipv4.dhcp || (now.ipAddress === ipv4.ipAddress && now.subnetMask === ipv4.subnetMask))
  );
}
