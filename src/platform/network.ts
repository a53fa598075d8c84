/** The network interfaces of this machine. */
import { existsSync } from 'node:fs';
import { networkInterfaces } from 'node:os';

export type NetworkKind = 'ETHERNET' | 'WIFI';

/** Kinds of the interfaces that are up, each once, in the order of the system. */
export function readNetworkKinds(): NetworkKind[] {
  const kinds = new Set<NetworkKind>();
  for (const [name, addresses] of Object.entries(networkInterfaces())) {
    if (addresses === undefined || addresses.every((address) => address.internal)) continue;
    kinds.add(existsSync(`/sys/class/net/${name}/wireless`) ? 'WIFI' : 'ETHERNET');
  }
  return [...kinds];
}
