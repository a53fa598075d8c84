/** registry.json: the installed applications. What it names is installed, everything else is rubbish. */
import { Setting } from '../../shared/setting.js';
import type { StateFaults } from '../../shared/state-faults.js';
import { type Static, Type } from '../api/schema.js';
import { checked } from '../state/setting-kinds.js';
import { AppManifest } from './manifest.js';

const AppRecord = Type.Object({
  manifest: AppManifest,
  /** Name of the folder of its version. */
  version: Type.String({ pattern: '^[0-9a-f]{12}$' }),
  autostart: Type.Boolean(),
  /** Of its own; null = installed by a service that was not root. */
  uid: Type.Unsafe<number | null>({ type: ['integer', 'null'] }),
  /** What a client asked for last, for restarts of the service within one boot of the machine. */
  wanted: Type.Optional(Type.Object({ running: Type.Boolean(), bootId: Type.String() })),
});
export type AppRecord = Static<typeof AppRecord>;

export const Registry = Type.Object({ apps: Type.Array(AppRecord) });
type Registry = Static<typeof Registry>;

export class AppRegistry {
  readonly #setting: Setting<Registry>;

  constructor(folder: string) {
    const kind = { file: 'registry.json', check: checked(Registry), unset: { apps: [] } };
    this.#setting = new Setting<Registry>(folder, kind);
  }

  load(faults?: StateFaults): Promise<void> {
    return this.#setting.load(faults);
  }

  /** False if the file cannot be used: then nobody knows what is installed. */
  get isKnown(): boolean {
    return !this.#setting.isUnreadable;
  }

  /** By name. */
  get records(): ReadonlyMap<string, AppRecord> {
    const { apps } = this.#setting.present;
    return new Map(apps.map((record) => [record.manifest.name, record]));
  }

  /** Once it returns, this is so, also after a power cut. @throws STORAGE */
  put(record: AppRecord): Promise<void> {
    const { name } = record.manifest;
    return this.#setting.set(({ apps }) => {
      const isThere = apps.some(({ manifest }) => manifest.name === name);
      const same = (one: AppRecord) => one.manifest.name === name;
      return {
        apps: isThere ? apps.map((one) => (same(one) ? record : one)) : [...apps, record],
      };
    });
  }

  /** @throws STORAGE */
  remove(name: string): Promise<void> {
    return this.#setting.set(({ apps }) => ({
      apps: apps.filter(({ manifest }) => manifest.name !== name),
    }));
  }
}
