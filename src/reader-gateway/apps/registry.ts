/** registry.json: the installed applications. What it names is installed, everything else is rubbish. */
import { join } from 'node:path';
import { StateFile } from '../../shared/state-file.js';
import { type Static, Type } from '../api/schema.js';
import { assertValid } from '../api/validate.js';
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
  readonly #file: StateFile<Registry>;
  #records = new Map<string, AppRecord>();

  constructor(folder: string) {
    this.#file = new StateFile(join(folder, 'registry.json'), (value) => {
      assertValid(Registry, value);
      return value as Registry;
    });
  }

  async load(): Promise<void> {
    const { apps = [] } = (await this.#file.load()) ?? {};
    this.#records = new Map(apps.map((record) => [record.manifest.name, record]));
  }

  get records(): ReadonlyMap<string, AppRecord> {
    return this.#records;
  }

  /** Once it returns, this is so, also after a power cut. */
  async put(record: AppRecord): Promise<void> {
    await this.#save(new Map(this.#records).set(record.manifest.name, record));
  }

  async remove(name: string): Promise<void> {
    const records = new Map(this.#records);
    records.delete(name);
    await this.#save(records);
  }

  async #save(records: Map<string, AppRecord>): Promise<void> {
    await this.#file.save({ apps: [...records.values()] });
    this.#records = records;
  }
}
