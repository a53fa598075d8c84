/** device.json in the state folder: all that an emulated device was told. */
import { type Static, Type } from '@sinclair/typebox';
import { Setting } from '../../shared/setting.js';
import type { StateFaults } from '../../shared/state-faults.js';
import { checked } from './checked.js';

const Interface = Type.Object({
  isEnabled: Type.Boolean(),
  ipv4: Type.Object({
    dhcp: Type.Boolean(),
    ipAddress: Type.String(),
    subnetMask: Type.String(),
    gatewayAddress: Type.String(),
    dnsAddress: Type.String(),
    domainName: Type.String(),
  }),
  ipv6Dhcp: Type.Boolean(),
  accessPoint: Type.Optional(Type.Object({ essid: Type.String(), autoConn: Type.Boolean() })),
});

const DeviceState = Type.Object({
  hostName: Type.Optional(Type.String({ minLength: 1 })),
  timeZone: Type.Optional(Type.String({ minLength: 1 })),
  ntpServer: Type.Optional(Type.String()),
  network: Type.Optional(
    Type.Object({ eth0: Type.Optional(Interface), mlan0: Type.Optional(Interface) }),
  ),
  reboots: Type.Optional(Type.Integer({ minimum: 0 })),
  bootedMs: Type.Optional(Type.Number()),
});
export type DeviceState = Static<typeof DeviceState>;

export class DeviceFile {
  /** @throws CONFIG for a file that is not right, if there is nobody to take it. */
  static async load(stateDir: string, faults?: StateFaults): Promise<DeviceFile> {
    const check = (value: unknown) => checked(DeviceState, value);
    const setting = new Setting<DeviceState>(stateDir, { file: 'device.json', check, unset: {} });
    await setting.load(faults);
    return new DeviceFile(setting);
  }

  private constructor(private readonly setting: Setting<DeviceState>) {}

  get present(): Readonly<DeviceState> {
    return this.setting.present;
  }

  /** One change after the other; one that cannot be written has not happened. @throws STORAGE */
  change(make: (state: Readonly<DeviceState>) => Partial<DeviceState>): Promise<void> {
    return this.setting.set((state) => ({ ...state, ...make(state) }));
  }
}
