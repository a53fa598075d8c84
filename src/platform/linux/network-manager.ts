/**
 * The network, by NetworkManager. A change is made under a checkpoint: whatever fails on the way,
 * and also if this service ends in between, NetworkManager brings back profiles and connections as
 * they were.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { SingulateError } from '../../shared/errors.js';
import {
  INTERFACE_NAMES,
  type InterfaceName,
  type InterfaceState,
  type NetworkAdapter,
  type NetworkChange,
  type NetworkState,
} from '../adapters.js';
import {
  ipv4InForce,
  ipv4Of,
  newProfile,
  type Profile,
  withSettings,
} from './connection-profile.js';
import { ServiceRefusal, type SystemBus, type Target } from './system-bus.js';

export const NETWORK_MANAGER = 'org.freedesktop.NetworkManager';
const SERVICE = NETWORK_MANAGER;
const MANAGER: Target = {
  destination: SERVICE,
  path: '/org/freedesktop/NetworkManager',
  interface: SERVICE,
};
const SETTINGS: Target = {
  destination: SERVICE,
  path: '/org/freedesktop/NetworkManager/Settings',
  interface: `${SERVICE}.Settings`,
};
/** An object path that means none. */
const NONE = '/';
const UNKNOWN_DEVICE = `${SERVICE}.UnknownDevice`;
const CHECKPOINT_DELETE_NEW_PROFILES = 2;
/** Of AddConnection2 and Update2. */
const TO_DISK = 1;
const ACTIVATED = 2;
const DEACTIVATED = 4;

interface Times {
  /** An interface that is not up by then is given up. */
  activationMs: number;
  pollMs: number;
}
const TIMES: Times = { activationMs: 45_000, pollMs: 250 };

interface Device {
  path: string;
  /** Of the profile in use; NONE = none. */
  active: string;
  /** Profile of the interface; NONE = there is none yet. */
  connection: string;
  profile: Profile;
}

export class NetworkManager implements NetworkAdapter {
  constructor(
    private readonly bus: SystemBus,
    private readonly times = TIMES,
  ) {}

  async read(): Promise<NetworkState> {
    const state: NetworkState = {};
    for (const name of INTERFACE_NAMES) {
      const device = await this.#device(name);
      if (device !== undefined) state[name] = await this.#stateOf(name, device);
    }
    return state;
  }

  async store(change: NetworkChange): Promise<() => Promise<void>> {
    const devices = new Map<InterfaceName, Device>();
    for (const name of INTERFACE_NAMES) {
      if (change[name] === undefined) continue;
      const device = await this.#device(name);
      if (device === undefined) throw unavailable(`there is no interface ${name}`);
      devices.set(name, device);
    }
    const paths = [...devices.values()].map(({ path }) => path);
    // It outlives the waits below, and undoes all if this service does not.
    const seconds = Math.ceil((this.times.activationMs * (paths.length + 1)) / 1000);
    const checkpoint = await this.bus.call(MANAGER, 'CheckpointCreate', 'aouu', [
      paths,
      seconds,
      CHECKPOINT_DELETE_NEW_PROFILES,
    ]);
    const undone = async (error: unknown): Promise<never> => {
      await this.bus.call(MANAGER, 'CheckpointRollback', 'o', [checkpoint]);
      throw error;
    };
    try {
      for (const [name, device] of devices) {
        const settings = change[name];
        if (settings === undefined) continue;
        await this.#write(device, withSettings(device.profile, settings));
      }
    } catch (error) {
      return undone(error);
    }
    return async () => {
      try {
        for (const [name, device] of devices) {
          await this.#activate(device, change[name]?.isEnabled === true);
        }
      } catch (error) {
        await undone(error);
      }
      await this.bus.call(MANAGER, 'CheckpointDestroy', 'o', [checkpoint]);
    };
  }

  async #device(name: InterfaceName): Promise<Device | undefined> {
    let path: string;
    try {
      path = String(await this.bus.call(MANAGER, 'GetDeviceByIpIface', 's', [name]));
    } catch (error) {
      if (error instanceof ServiceRefusal && error.type === UNKNOWN_DEVICE) return undefined;
      throw error;
    }
    const active = String(await this.bus.property(deviceAt(path), 'ActiveConnection'));
    const connection = await this.#connectionOf(name, active);
    if (connection === NONE) return { path, active, connection, profile: newProfile(name) };
    return { path, active, connection, profile: await this.#profileAt(connection) };
  }

  /** The profile in use, or the first that is for this interface alone. */
  async #connectionOf(name: InterfaceName, active: string): Promise<string> {
    if (active !== NONE) return String(await this.bus.property(activeAt(active), 'Connection'));
    const all = (await this.bus.call(SETTINGS, 'ListConnections')) as string[];
    for (const path of all) {
      const { connection } = await this.#profileAt(path);
      if (connection?.['interface-name']?.value === name) return path;
    }
    return NONE;
  }

  async #profileAt(path: string): Promise<Profile> {
    return (await this.bus.call(connectionAt(path), 'GetSettings')) as Profile;
  }

  async #stateOf(name: InterfaceName, device: Device): Promise<InterfaceState> {
    const { path, active, profile } = device;
    const mac = await this.bus.property(deviceAt(path), 'HwAddress');
    const stored = ipv4Of(profile);
    const config = String(await this.bus.property(deviceAt(path), 'Ip4Config'));
    const inForce =
      config === NONE ? undefined : ipv4InForce(await this.bus.properties(ip4ConfigAt(config)));
    const ssid = profile['802-11-wireless']?.ssid?.value;
    return {
      isEnabled: active !== NONE,
      ipv4: inForce === undefined ? stored : { dhcp: stored.dhcp, ...inForce },
      ipv6Dhcp: (profile.ipv6?.method?.value ?? 'auto') === 'auto',
      macAddress: String(mac).toUpperCase(),
      ...(name === 'mlan0'
        ? {
            accessPoint: {
              essid: ssid === undefined ? '' : String(ssid),
              autoConn: profile.connection?.autoconnect?.value !== false,
            },
          }
        : {}),
    };
  }

  /** @param device Gets the path of its profile, if that is new. */
  async #write(device: Device, profile: Profile): Promise<void> {
    if (device.connection === NONE) {
      const path = await this.bus.call(SETTINGS, 'AddConnection2', 'a{sa{sv}}ua{sv}', [
        profile,
        TO_DISK,
        {},
      ]);
      device.connection = String(path);
      return;
    }
    const target = connectionAt(device.connection);
    await this.bus.call(target, 'Update2', 'a{sa{sv}}ua{sv}', [profile, TO_DISK, {}]);
  }

  async #activate({ path, active, connection }: Device, enabled: boolean): Promise<void> {
    if (!enabled) {
      if (active !== NONE) await this.bus.call(deviceAt(path), 'Disconnect');
      return;
    }
    const activating = await this.bus.call(MANAGER, 'ActivateConnection', 'ooo', [
      connection,
      path,
      NONE,
    ]);
    const target = activeAt(String(activating));
    const end = Date.now() + this.times.activationMs;
    for (;;) {
      // An active connection that failed is gone from the bus: the call fails then.
      const state = await this.bus.property(target, 'State');
      if (state === ACTIVATED) return;
      if (state === DEACTIVATED || Date.now() > end) throw unavailable(`${path} does not come up`);
      await sleep(this.times.pollMs);
    }
  }
}

const deviceAt = (path: string): Target => ({
  destination: SERVICE,
  path,
  interface: `${SERVICE}.Device`,
});
const connectionAt = (path: string): Target => ({
  destination: SERVICE,
  path,
  interface: `${SERVICE}.Settings.Connection`,
});
const ip4ConfigAt = (path: string): Target => ({
  destination: SERVICE,
  path,
  interface: `${SERVICE}.IP4Config`,
});
const activeAt = (path: string): Target => ({
  destination: SERVICE,
  path,
  interface: `${SERVICE}.Connection.Active`,
});

function unavailable(message: string): SingulateError {
  return new SingulateError('UNAVAILABLE', `network: ${message}`);
}
