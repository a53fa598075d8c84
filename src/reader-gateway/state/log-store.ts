/** logs.json: what shall be logged, as far as it was set. */
import { join } from 'node:path';
import { StateFile } from '../../shared/state-file.js';
import { LogConfig } from '../api/logs.js';
import { assertValid } from '../api/validate.js';

export class LogStore {
  readonly #file: StateFile<LogConfig>;
  #config: LogConfig = {};

  constructor(stateDir: string) {
    this.#file = new StateFile(join(stateDir, 'logs.json'), (value) => {
      assertValid(LogConfig, value);
      return value as LogConfig;
    });
  }

  async load(): Promise<void> {
    this.#config = (await this.#file.load()) ?? {};
  }

  /** What was never set is not there. */
  get config(): LogConfig {
    return this.#config;
  }

  async save(config: LogConfig): Promise<void> {
    await this.#file.save(config);
    this.#config = config;
  }
}
