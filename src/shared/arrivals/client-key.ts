/** Who a client is for limits: nobody gets around one with another address that is also his. */
import { isIPv6 } from 'node:net';

const PREFIX_GROUPS = 4;

/**
 * @param address Of the socket, never out of a header.
 * @returns An IPv4 address as it is, also one inside IPv6; of IPv6 the network of 64 bits.
 */
export function clientKey(address: string): string {
  const bare = address.split('%')[0] as string;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(bare);
  if (mapped?.[1] !== undefined) return mapped[1];
  if (!isIPv6(bare) || bare === '::1') return bare;
  const [front = '', back] = bare.split('::', 2);
  const before = front === '' ? [] : front.split(':');
  const after = back === undefined || back === '' ? [] : back.split(':');
  const zeros = back === undefined ? 0 : Math.max(0, 8 - before.length - after.length);
  const groups = [...before, ...Array<string>(zeros).fill('0'), ...after];
  const network = groups.slice(0, PREFIX_GROUPS).map((group) => Number.parseInt(group, 16));
  return `${network.map((group) => group.toString(16)).join(':')}::/64`;
}

export function isLoopback(address: string): boolean {
  const key = clientKey(address);
  return key === '::1' || key.startsWith('127.');
}
