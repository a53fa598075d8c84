/** device.json in the state folder: all that an emulated device was told. */
import { join } from 'node:path';
import { type Static, Type } from '@sinclair/typebox';
import { StateFile } from '../../shared/state-file.js';
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
  #changes: Promise<unknown> = Promise.resolve();

  /** @throws CONFIG for a file that is not right. */
  static async load(stateDir: string): Promise<DeviceFile> {
    const file = new StateFile(join(stateDir, 'device.json'), (value) =>
      checked(DeviceState, value),
    );
    return new DeviceFile(file, (await file.load()) ?? {});
  }

  private constructor(
    private readonly file: StateFile<DeviceState>,
    private state: DeviceState,
  ) {}

  get present(): Readonly<DeviceState> {
    return this.state;
  }

  /** One change after the other; one that cannot be written has not happened. */
  change(make: (state: Readonly<DeviceState>) => Partial<DeviceState>): Promise<void> {
    const done = this.#changes.then(async () => {
      const next = { ...this.state, ...make(this.state) };
      await this.file.save(next);
      this.state = next;
    });
    this.#changes = done.catch(() => {});
    return done;
  }
}
