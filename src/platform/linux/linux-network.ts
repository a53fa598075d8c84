/** The network, by the service that this system has for it. */
import { SingulateError } from '../../shared/errors.js';
import type { NetworkAdapter, NetworkChange, NetworkState } from '../adapters.js';
import { NETWORK_MANAGER, NetworkManager } from './network-manager.js';
import { NETWORKD, Networkd } from './networkd.js';
import type { SystemBus } from './system-bus.js';

export class LinuxNetwork implements NetworkAdapter {
  constructor(
    private readonly bus: SystemBus,
    private readonly manager: NetworkAdapter = new NetworkManager(bus),
    private readonly networkd: NetworkAdapter = new Networkd(bus),
  ) {}

  async read(): Promise<NetworkState> {
    return (await this.#present()).read();
  }

  async store(change: NetworkChange): Promise<() => Promise<void>> {
    return (await this.#present()).store(change);
  }

  /** Asked each time: a service may come up after this one. Where both run, networkd is a helper. */
  async #present(): Promise<NetworkAdapter> {
    if (await this.bus.hasOwner(NETWORK_MANAGER)) return this.manager;
    if (await this.bus.hasOwner(NETWORKD.destination)) return this.networkd;
    const text = 'network: neither NetworkManager nor systemd-networkd is there';
    throw new SingulateError('UNAVAILABLE', text);
  }
}
