/** The network of the interface: made of what the platform says, and what a change makes of it. Pure. */
import { isDeepStrictEqual } from 'node:util';
import {
  INTERFACE_NAMES,
  type InterfaceName,
  type InterfaceSettings,
  type InterfaceState,
  type Ipv4,
  type NetworkChange,
  type NetworkState,
} from '../../platform/adapters.js';
import { invalid, type Violation } from '../../shared/errors.js';
import {
  type InterfaceRequest,
  type Ipv4Request,
  type Network,
  SetNetwork,
} from '../api/network.js';
import { findRequestViolations, show } from '../api/validate.js';
import {
  ipv4Number,
  isHostAddress,
  isHostName,
  MAX_LABEL,
  MAX_MACHINE_NAME,
  prefixOfMask,
} from './host-address.js';

const NO_MAC: Violation = { field: 'macAdress', message: 'is required' };
const ADDRESSES = ['ipAddress', 'subnetMask', 'gatewayAddress', 'dnsAddress'] as const;

/** @param wanted undefined = all. @throws INVALID if the reader does not have the interface. */
export function networkAnswer(
  state: NetworkState,
  hostName: string,
  wanted: InterfaceName | undefined,
): Network {
  const name = wanted ?? firstInterface(state);
  const found = state[name];
  if (found === undefined) throw noInterface('interface', name, state);
  const { ipAddress, gatewayAddress, subnetMask, dnsAddress, dhcp } = found.ipv4;
  return {
    hostName,
    ipAddress,
    gatewayAddress,
    subnetMask,
    dnsAddress,
    dhcp: dhcp ? 'true' : 'false',
    macAddress: found.macAddress,
    ...(wanted === undefined ? { networkInterface: allInterfaces(state) } : {}),
  };
}

/** The one that the flat fields tell of: the first that is enabled. */
function firstInterface(state: NetworkState): InterfaceName {
  const there = INTERFACE_NAMES.filter((name) => state[name] !== undefined);
  return there.find((name) => state[name]?.isEnabled) ?? there[0] ?? 'eth0';
}

function allInterfaces(state: NetworkState): NonNullable<Network['networkInterface']> {
  return Object.fromEntries(
    Object.entries(state).map(([name, { ipv4, ipv6Dhcp, isEnabled, accessPoint }]) => [
      name,
      {
        IPV4: { ...ipv4 },
        IPV6: { dhcp: ipv6Dhcp },
        isEnabled,
        ...(accessPoint === undefined ? {} : { accesspoint: { ...accessPoint } }),
      },
    ]),
  );
}

/** What a schema can say, and a schema cannot: one of two names of the MAC address. @throws INVALID */
export function checkedNetworkRequest(given: unknown): SetNetwork {
  const problems = findRequestViolations(SetNetwork, given);
  const request = given as SetNetwork;
  if (problems.length > 0) {
    if (macField(request) === undefined) problems.push(NO_MAC);
    throw invalid(problems);
  }
  return request;
}

/**
 * The settings of every interface that the request changes: clients send back all that they got, and
 * an interface that stays as it is must not go down and up again for it. The flat fields are those of the
 * interface that a GET tells them of, unless networkInterface has an IPV4 for it.
 * @throws INVALID naming every wrong field.
 */
export function networkChange(request: SetNetwork, state: NetworkState): NetworkChange {
  const problems: Violation[] = [];
  if (!isHostName(request.hostName, MAX_MACHINE_NAME)) {
    problems.push({ field: 'hostName', message: hostNameFault(request.hostName) });
  }
  checkMac(request, state, problems);
  const change: NetworkChange = {};
  const first = firstInterface(state);
  const given = request.networkInterface ?? {};
  for (const name of INTERFACE_NAMES) {
    const before = state[name];
    const own: InterfaceRequest | undefined = given[name];
    if (own !== undefined && before === undefined) {
      problems.push(...noInterface(`networkInterface.${name}`, name, state).violations);
    }
    if (before === undefined) continue;
    const flat = name === first && own?.IPV4 === undefined;
    if (own === undefined && !flat) continue;
    const settings = settingsOf(
      own ?? {},
      flat ? request : (own?.IPV4 ?? {}),
      flat ? '' : `networkInterface.${name}.IPV4.`,
      before,
      problems,
    );
    if (!sameSettings(settings, before)) change[name] = settings;
  }
  if (Object.keys(state).every((name) => isOff(name as InterfaceName, state, change))) {
    const message = 'isEnabled is false for every one: the reader could not be reached any more';
    problems.push({ field: 'networkInterface', message });
  }
  if (problems.length > 0) throw invalid(problems);
  return change;
}

function sameSettings(a: InterfaceSettings, b: InterfaceSettings): boolean {
  const wanted = ({ isEnabled, ipv4, ipv6Dhcp, accessPoint }: InterfaceSettings) => [
    isEnabled,
    ipv6Dhcp,
    accessPoint?.essid,
    accessPoint?.autoConn,
    ipv4.dhcp,
    // With DHCP they are the lease's.
    ...(ipv4.dhcp ? [] : [...ADDRESSES, 'domainName' as const].map((key) => ipv4[key])),
  ];
  return isDeepStrictEqual(wanted(a), wanted(b));
}

function isOff(name: InterfaceName, state: NetworkState, change: NetworkChange): boolean {
  return (change[name] ?? state[name])?.isEnabled !== true;
}

export function hostNameFault(given: string): string {
  return `${show(given)} is not a host name: labels of 1 to ${MAX_LABEL} letters, digits and hyphens, with dots between, at most ${MAX_MACHINE_NAME} characters`;
}

function noInterface(field: string, name: InterfaceName, state: NetworkState) {
  const there = Object.keys(state).join(', ') || 'none';
  return invalid([{ field, message: `this reader has no ${name}; it has: ${there}` }]);
}

/** A client sends back what it got; another address is a mistake that it should hear of. */
function checkMac(request: SetNetwork, state: NetworkState, problems: Violation[]): void {
  const field = macField(request);
  if (field === undefined) {
    problems.push(NO_MAC);
    return;
  }
  const given = request[field] ?? '';
  const own = Object.values(state).map(({ macAddress }) => macAddress);
  if (!own.some((mac) => mac.toUpperCase() === given.toUpperCase())) {
    const message = `${show(given)} is not one of ${own.join(', ')}: it is read only`;
    problems.push({ field, message });
  }
}

/** The one that is given of the two. */
function macField(request: SetNetwork): 'macAdress' | 'macAddress' | undefined {
  return (['macAdress', 'macAddress'] as const).find((name) => request[name] !== undefined);
}

function settingsOf(
  own: InterfaceRequest,
  ipv4: Ipv4Request,
  path: string,
  before: InterfaceState,
  problems: Violation[],
): InterfaceSettings {
  const { accesspoint } = own;
  const { accessPoint } = before;
  return {
    isEnabled: flag(own.isEnabled) ?? before.isEnabled,
    ipv4: ipv4Of(ipv4, path, before.ipv4, problems),
    ipv6Dhcp: flag(own.IPV6?.dhcp) ?? before.ipv6Dhcp,
    ...(accessPoint === undefined
      ? {}
      : {
          accessPoint: {
            essid: accesspoint?.essid ?? accessPoint.essid,
            autoConn: flag(accesspoint?.autoConn) ?? accessPoint.autoConn,
          },
        }),
  };
}

function ipv4Of(given: Ipv4Request, path: string, before: Ipv4, problems: Violation[]): Ipv4 {
  const dhcp = flag(given.dhcp) ?? before.dhcp;
  const { domainName = before.domainName } = given;
  if (domainName !== '' && !isHostName(domainName)) {
    const message = `${show(domainName)} is not a domain name`;
    problems.push({ field: `${path}domainName`, message });
  }
  if (dhcp) {
    // Clients send back the addresses of the lease; with DHCP they mean nothing.
    const none = { ipAddress: '', subnetMask: '', gatewayAddress: '', dnsAddress: '' };
    return { dhcp, ...none, domainName: '' };
  }
  const kept = before.dhcp ? undefined : before;
  const values = Object.fromEntries(
    ADDRESSES.map((key) => [key, given[key] ?? kept?.[key] ?? '']),
  ) as Record<(typeof ADDRESSES)[number], string>;
  checkAddresses(values, path, problems);
  return { dhcp, ...values, domainName };
}

function checkAddresses(
  values: Record<(typeof ADDRESSES)[number], string>,
  path: string,
  problems: Violation[],
): void {
  const before = problems.length;
  for (const key of ADDRESSES) {
    const value = values[key];
    const field = `${path}${key}`;
    if (value === '') {
      problems.push({ field, message: 'is required without DHCP' });
    } else if (key === 'subnetMask') {
      const prefix = prefixOfMask(value);
      if (prefix === undefined || prefix > 30) {
        const message = `${show(value)} is not a subnet mask of 128.0.0.0 to 255.255.255.252`;
        problems.push({ field, message });
      }
    } else if (!isHostAddress(value)) {
      problems.push({ field, message: `${show(value)} is not the IPv4 address of a host` });
    }
  }
  if (problems.length > before) return;
  const mask = ipv4Number(values.subnetMask) ?? 0;
  const own = ipv4Number(values.ipAddress) ?? 0;
  const network = (address: number) => (address & mask) >>> 0;
  const host = (own & ~mask) >>> 0;
  if (host === 0 || host === ~mask >>> 0) {
    const message = `${show(values.ipAddress)} is the network or its broadcast address, not a host's`;
    problems.push({ field: `${path}ipAddress`, message });
  }
  const gateway = ipv4Number(values.gatewayAddress) ?? 0;
  if (network(gateway) !== network(own) || gateway === own) {
    const message = `${show(values.gatewayAddress)} is not another host of the network of ${values.ipAddress} with ${values.subnetMask}`;
    problems.push({ field: `${path}gatewayAddress`, message });
  }
}

function flag(value: boolean | 'true' | 'false' | undefined): boolean | undefined {
  return value === undefined ? undefined : value === true || value === 'true';
}
