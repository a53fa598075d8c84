/** config.json: the reader configuration as far as it was set. */
import { join } from 'node:path';
import { StateFile } from '../../shared/state-file.js';
import type { EndpointConfig, ReaderConfig } from '../api/config.js';
import type { Connection } from '../api/connection.js';
import { effectiveEvents } from '../management/settings.js';
import { changeConfig, checkStored, replaceConfig } from './config-change.js';
import {
  connectionsAt,
  ENDPOINT_PATHS,
  type EndpointPath,
  withConnections,
} from './endpoint-paths.js';
import type { Board } from './gpio-led-rules.js';

export const RETENTION_DEFAULTS = {
  throttle: 100,
  maxNumEvents: 150_000,
  maxEventRetentionTimeInMin: 0,
} as const;

export class ConfigStore {
  readonly #file: StateFile<ReaderConfig>;
  #config: ReaderConfig = {};
  #changes: Promise<unknown> = Promise.resolve();

  constructor(
    stateDir: string,
    private readonly factory: EndpointConfig,
  ) {
    this.#file = new StateFile(join(stateDir, 'config.json'), checkStored);
  }

  async load(): Promise<void> {
    this.#config = (await this.#file.load()) ?? {};
  }

  /** What was set. */
  get stored(): ReaderConfig {
    return this.#config;
  }

  /** The connections of a path: those that were set, or the factory's. */
  connections(path: EndpointPath): Connection[] {
    const endpoints = this.#config['READER-GATEWAY']?.endpointConfig;
    return connectionsAt(endpoints, path) ?? connectionsAt(this.factory, path) ?? [];
  }

  /** True if its connections are those that the reader came with. */
  isFactory(path: EndpointPath): boolean {
    return connectionsAt(this.#config['READER-GATEWAY']?.endpointConfig, path) === undefined;
  }

  /** What holds, defaults included; secrets in clear text. */
  effective(): ReaderConfig {
    const gateway = this.#config['READER-GATEWAY'] ?? {};
    let endpointConfig: EndpointConfig = {};
    for (const path of ENDPOINT_PATHS) {
      endpointConfig = withConnections(endpointConfig, path, this.connections(path));
    }
    return {
      xml: this.#config.xml ?? '',
      'GPIO-LED': this.#config['GPIO-LED'] ?? {},
      'READER-GATEWAY': {
        ...gateway,
        retention: { ...RETENTION_DEFAULTS, ...gateway.retention },
        managementEventConfig: effectiveEvents(gateway.managementEventConfig),
        endpointConfig,
      },
    };
  }

  /** Whole or not at all. @throws INVALID naming every wrong field. */
  change(change: unknown, board?: Board): Promise<void> {
    return this.#put((stored) => changeConfig(stored, change, this.factory, board));
  }

  /** What replace() would store. @throws INVALID naming every wrong field. */
  replaced(given: unknown, board?: Board): ReaderConfig {
    return replaceConfig(this.#config, given, this.factory, board);
  }

  /** Nothing of what was set stays, but for the secrets that a mask hides. @throws as change() */
  replace(given: unknown, board?: Board): Promise<void> {
    return this.#put((stored) => replaceConfig(stored, given, this.factory, board));
  }

  #put(make: (stored: ReaderConfig) => ReaderConfig): Promise<void> {
    const done = this.#changes.then(async () => {
      const next = make(this.#config);
      await this.#file.save(next);
      this.#config = next;
    });
    // Changes are made one after the other, each on the result of the one before.
    this.#changes = done.catch(() => {});
    return done;
  }
}
