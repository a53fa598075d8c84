/** device.json in the state folder: all that an emulated device was told. */
import { join } from 'node:path';
import { type Static, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { readJsonFile, writeJsonFile } from '../../shared/atomic-file.js';
import { fileError, migrate, withVersion } from '../../shared/file-format.js';

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

/** There was only one version of the file ever. */
const NO_STEPS: [] = [];

export class DeviceFile {
  #changes: Promise<unknown> = Promise.resolve();

  /** @throws CONFIG for a file that is not right. */
  static async load(stateDir: string): Promise<DeviceFile> {
    const path = join(stateDir, 'device.json');
    try {
      const { content: value } = migrate((await readJsonFile(path)) ?? {}, NO_STEPS);
      const wrong = Value.Errors(DeviceState, value).First();
      if (wrong === undefined) return new DeviceFile(path, value as DeviceState);
      throw new Error(`${wrong.path.slice(1).replaceAll('/', '.')}: ${wrong.message}`);
    } catch (error) {
      throw fileError(path, error);
    }
  }

  private constructor(
    private readonly path: string,
    private state: DeviceState,
  ) {}

  get present(): Readonly<DeviceState> {
    return this.state;
  }

  /** One change after the other; one that cannot be written has not happened. */
  change(make: (state: Readonly<DeviceState>) => Partial<DeviceState>): Promise<void> {
    const done = this.#changes.then(async () => {
      const next = { ...this.state, ...make(this.state) };
      await writeJsonFile(this.path, withVersion(next, NO_STEPS.length + 1));
      this.state = next;
    });
    this.#changes = done.catch(() => {});
    return done;
  }
}
