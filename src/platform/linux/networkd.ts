/**
 * The network, by systemd-networkd (of systemd 251 or later): a file of our own for each interface,
 * before those of the system. Wi-Fi itself is not its business: who sets its access point is not
 * known here.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { errorMessage, SingulateError } from '../../shared/errors.js';
import {
  INTERFACE_NAMES,
  type InterfaceName,
  type InterfaceSettings,
  type InterfaceState,
  type NetworkAdapter,
  type NetworkChange,
  type NetworkState,
} from '../adapters.js';
import {
  ipv4InForce,
  isInForce,
  type LinkDescription,
  networkFile,
  settingsOf,
} from './networkd-file.js';
import { readOwnFile, writeOwnFile } from './own-file.js';
import { ServiceRefusal, type SystemBus, type Target } from './system-bus.js';

export const NETWORKD: Target = {
  destination: 'org.freedesktop.network1',
  path: '/org/freedesktop/network1',
  interface: 'org.freedesktop.network1.Manager',
};
const UNKNOWN_LINK = '.NoSuchLink';

export interface NetworkdOptions {
  folder: string;
  /** Where the kernel tells of its interfaces. */
  sys: string;
  /** An interface that is not as it was set by then is given up. */
  activationMs: number;
  pollMs: number;
}
const DEFAULTS: NetworkdOptions = {
  folder: '/etc/systemd/network',
  sys: '/sys',
  activationMs: 45_000,
  pollMs: 250,
};

interface Link {
  name: InterfaceName;
  index: number;
  file: string;
  /** undefined: there is none yet. */
  content: string | undefined;
  settings: InterfaceSettings;
}

export class Networkd implements NetworkAdapter {
  readonly #options: NetworkdOptions;

  constructor(
    private readonly bus: SystemBus,
    options: Partial<NetworkdOptions> = {},
  ) {
    this.#options = { ...DEFAULTS, ...options };
  }

  async read(): Promise<NetworkState> {
    const state: NetworkState = {};
    for (const name of INTERFACE_NAMES) {
      const index = await this.#indexOf(name);
      if (index !== undefined) state[name] = await this.#stateOf(name, index);
    }
    return state;
  }

  async store(change: NetworkChange): Promise<() => Promise<void>> {
    const links: Link[] = [];
    for (const name of INTERFACE_NAMES) {
      const settings = change[name];
      if (settings === undefined) continue;
      const index = await this.#indexOf(name);
      if (index === undefined) throw unavailable(`there is no interface ${name}`);
      checkAccessPoint(settings, (await this.#stateOf(name, index)).accessPoint);
      const file = this.#fileOf(name);
      links.push({ name, index, file, content: await readOwnFile(file), settings });
    }
    try {
      for (const { name, file, settings } of links) {
        await writeOwnFile(file, networkFile(name, settings));
      }
    } catch (error) {
      await restore(links);
      throw error;
    }
    return async () => {
      try {
        await this.#reload(links);
        for (const link of links) await this.#untilInForce(link);
      } catch (error) {
        await restore(links);
        await this.#reload(links).catch(() => {
          // Away: it finds the files as they were when it comes back.
        });
        throw error;
      }
    };
  }

  async #reload(links: readonly Link[]): Promise<void> {
    await this.bus.call(NETWORKD, 'Reload');
    for (const { index } of links) await this.bus.call(NETWORKD, 'ReconfigureLink', 'i', [index]);
  }

  async #untilInForce({ name, index, file, settings }: Link): Promise<void> {
    const end = Date.now() + this.#options.activationMs;
    for (;;) {
      const link = await this.#describe(index);
      if (link.NetworkFile === file && isInForce(link, settings)) return;
      if (link.SetupState === 'failed' || Date.now() > end) {
        throw unavailable(`${name} does not come up (${link.SetupState})`);
      }
      await sleep(this.#options.pollMs);
    }
  }

  async #indexOf(name: InterfaceName): Promise<number | undefined> {
    try {
      return Number(await this.bus.call(NETWORKD, 'GetLinkByName', 's', [name]));
    } catch (error) {
      if (error instanceof ServiceRefusal && error.type.endsWith(UNKNOWN_LINK)) return undefined;
      throw error;
    }
  }

  async #describe(index: number): Promise<LinkDescription> {
    const text = String(await this.bus.call(NETWORKD, 'DescribeLink', 'i', [index]));
    try {
      return JSON.parse(text) as LinkDescription;
    } catch (error) {
      throw unavailable(`DescribeLink is not JSON: ${errorMessage(error)}`);
    }
  }

  async #stateOf(name: InterfaceName, index: number): Promise<InterfaceState> {
    const link = await this.#describe(index);
    const file = await readOwnFile(this.#fileOf(name));
    const set = file === undefined ? undefined : settingsOf(file);
    const now = ipv4InForce(link);
    const none = { ipAddress: '', subnetMask: '', gatewayAddress: '', dnsAddress: '' };
    const unknown = { dhcp: true, ...none, domainName: '' };
    const ipv4 = set?.ipv4.dhcp === false ? set.ipv4 : (now ?? set?.ipv4 ?? unknown);
    return {
      isEnabled: link.OperationalState !== 'off' && link.SetupState !== 'unmanaged',
      ipv4: { ...ipv4, dhcp: set?.ipv4.dhcp ?? ipv4.dhcp },
      ipv6Dhcp: set?.ipv6Dhcp ?? true,
      macAddress: await this.#macOf(name),
      ...(name === 'mlan0' ? { accessPoint: { essid: link.SSID ?? '', autoConn: true } } : {}),
    };
  }

  async #macOf(name: InterfaceName): Promise<string> {
    const path = join(this.#options.sys, 'class/net', name, 'address');
    try {
      return (await readFile(path, 'utf8')).trim().toUpperCase();
    } catch (error) {
      throw unavailable(`${path}: ${errorMessage(error)}`);
    }
  }

  #fileOf(name: InterfaceName): string {
    return join(this.#options.folder, `05-singulate-${name}.network`);
  }
}

function checkAccessPoint(
  { accessPoint: wanted }: InterfaceSettings,
  now: InterfaceSettings['accessPoint'],
): void {
  if (wanted === undefined) return;
  if (wanted.essid === now?.essid && wanted.autoConn === now.autoConn) return;
  throw unavailable('systemd-networkd does not set the access point of Wi-Fi');
}

/** As many as can be: the error that made it necessary is the one to tell. */
async function restore(links: readonly Link[]): Promise<void> {
  await Promise.allSettled(links.map(({ file, content }) => writeOwnFile(file, content)));
}

function unavailable(message: string): SingulateError {
  return new SingulateError('UNAVAILABLE', `network: ${message}`);
}
