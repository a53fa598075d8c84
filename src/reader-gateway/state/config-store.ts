/** config.json: the reader configuration as far as it was set. */
import { type Change, Changes } from '../../shared/changes.js';
import type { Violation } from '../../shared/errors.js';
import { Setting } from '../../shared/setting.js';
import type { StateFaults } from '../../shared/state-faults.js';
import type { EndpointConfig, ReaderConfig } from '../api/config.js';
import type { Connection } from '../api/connection.js';
import { effectiveEvents } from '../management/settings.js';
import { changeConfig, replaceConfig } from './config-change.js';
import {
  connectionsAt,
  ENDPOINT_PATHS,
  type EndpointPath,
  withConnections,
} from './endpoint-paths.js';
import type { Board } from './gpio-led-rules.js';
import { checkStored } from './stored-config.js';

export const RETENTION_DEFAULTS = {
  throttle: 100,
  maxNumEvents: 150_000,
  maxEventRetentionTimeInMin: 0,
} as const;

export class ConfigStore {
  readonly #setting: Setting<ReaderConfig>;
  /** What was loaded otherwise than it was stored. */
  readonly changedByLoad: Violation[] = [];

  /** @param changes Of all that can be set. */
  constructor(
    stateDir: string,
    private readonly factory: EndpointConfig,
    private readonly changes = new Changes(),
  ) {
    const check = (stored: unknown) =>
      checkStored(stored, (change) => this.changedByLoad.push(change));
    const kind = { file: 'config.json', check, unset: {} };
    this.#setting = new Setting<ReaderConfig>(stateDir, kind);
  }

  load(faults?: StateFaults): Promise<void> {
    return this.#setting.load(faults);
  }

  /** What was set. */
  get stored(): ReaderConfig {
    return this.#setting.present;
  }

  /** The connections of a path: those that were set, or the factory's. */
  connections(path: EndpointPath): Connection[] {
    const endpoints = this.stored['READER-GATEWAY']?.endpointConfig;
    return connectionsAt(endpoints, path) ?? connectionsAt(this.factory, path) ?? [];
  }

  /** True if its connections are those that the reader came with. */
  isFactory(path: EndpointPath): boolean {
    return connectionsAt(this.stored['READER-GATEWAY']?.endpointConfig, path) === undefined;
  }

  /** What holds, defaults included; secrets in clear text. */
  effective(): ReaderConfig {
    const gateway = this.stored['READER-GATEWAY'] ?? {};
    let endpointConfig: EndpointConfig = {};
    for (const path of ENDPOINT_PATHS) {
      endpointConfig = withConnections(endpointConfig, path, this.connections(path));
    }
    return {
      xml: this.stored.xml ?? '',
      'GPIO-LED': this.stored['GPIO-LED'] ?? {},
      'READER-GATEWAY': {
        ...gateway,
        retention: { ...RETENTION_DEFAULTS, ...gateway.retention },
        managementEventConfig: effectiveEvents(gateway.managementEventConfig),
        endpointConfig,
      },
    };
  }

  /** Whole or not at all. @throws INVALID naming every wrong field, STORAGE */
  change(given: unknown, board?: Board): Promise<void> {
    return this.changes.make((change) =>
      this.#setting.put(change, changeConfig(this.stored, given, this.factory, board)),
    );
  }

  /** What replace() would store. @throws INVALID naming every wrong field. */
  replaced(given: unknown, board?: Board): ReaderConfig {
    return replaceConfig(this.stored, given, this.factory, board);
  }

  /**
   * As a part of a change: nothing of what was set stays, but for the secrets that a mask hides.
   * @throws INVALID naming every wrong field, STORAGE
   */
  async replace(change: Change, given: unknown, board?: Board): Promise<void> {
    await this.#setting.put(change, this.replaced(given, board));
  }
}
