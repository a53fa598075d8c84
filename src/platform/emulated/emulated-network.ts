/** The network of an emulated device: a wired and a wireless interface that carry nothing. */
import type {
  InterfaceName,
  InterfaceSettings,
  Ipv4,
  NetworkAdapter,
  NetworkChange,
  NetworkState,
} from '../adapters.js';
import { INTERFACE_NAMES } from '../adapters.js';
import { readMacAddress } from '../identity.js';
import type { DeviceFile } from './device-state.js';

/** What the DHCP servers of the emulated networks give, from the blocks for documentation. */
const LEASES: Record<InterfaceName, Omit<Ipv4, 'dhcp'>> = {
  eth0: {
    ipAddress: '192.0.2.10',
    subnetMask: '255.255.255.0',
    gatewayAddress: '192.0.2.1',
    dnsAddress: '192.0.2.1',
    domainName: 'example.net',
  },
  mlan0: {
    ipAddress: '198.51.100.10',
    subnetMask: '255.255.255.0',
    gatewayAddress: '198.51.100.1',
    dnsAddress: '198.51.100.1',
    domainName: 'example.net',
  },
};

const NO_ADDRESS: Omit<Ipv4, 'dhcp'> = {
  ipAddress: '',
  subnetMask: '',
  gatewayAddress: '',
  dnsAddress: '',
  domainName: '',
};

const FACTORY: Record<InterfaceName, InterfaceSettings> = {
  eth0: { isEnabled: true, ipv4: { dhcp: true, ...NO_ADDRESS }, ipv6Dhcp: true },
  mlan0: {
    isEnabled: false,
    ipv4: { dhcp: true, ...NO_ADDRESS },
    ipv6Dhcp: true,
    accessPoint: { essid: '', autoConn: false },
  },
};

export class EmulatedNetwork implements NetworkAdapter {
  constructor(private readonly file: DeviceFile) {}

  async read(): Promise<NetworkState> {
    const mac = readMacAddress();
    return Object.fromEntries(
      INTERFACE_NAMES.map((name) => {
        const settings = this.file.present.network?.[name] ?? FACTORY[name];
        const macAddress = name === 'eth0' ? mac : localMac(mac);
        return [name, { ...settings, ipv4: inForce(name, settings), macAddress }];
      }),
    );
  }

  async store(change: NetworkChange): Promise<() => Promise<void>> {
    await this.file.change(({ network }) => ({ network: { ...network, ...change } }));
    return async () => {};
  }
}

/** With DHCP the addresses are the lease's. An interface that is off has none. */
function inForce(name: InterfaceName, { isEnabled, ipv4 }: InterfaceSettings): Ipv4 {
  if (!ipv4.dhcp) return ipv4;
  return { dhcp: true, ...(isEnabled ? LEASES[name] : NO_ADDRESS) };
}

/**
 * A second address of the same device: marked as locally administered, as no maker gave it to anybody,
 * and never the first one.
 * @param mac `02:FC:00:11:22:33`.
 */
export function localMac(mac: string): string {
  const first = Number.parseInt(mac.slice(0, 2), 16);
  // One that is marked already differs in the next bit.
  const local = (first & 0x02) === 0 ? first | 0x02 : first ^ 0x04;
  return `${local.toString(16).padStart(2, '0').toUpperCase()}${mac.slice(2)}`;
}
