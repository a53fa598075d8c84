/** The logs of both services: what is logged, and what was. */
import { Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import { LogLevel } from '../../contract/messages.js';
import type { Change, Changes } from '../../shared/changes.js';
import { invalid, isSingulateError, type Violation } from '../../shared/errors.js';
import type { Logger } from '../../shared/log.js';
import type { LogFiles } from '../../shared/log-files.js';
import type { Setting } from '../../shared/setting.js';
import {
  componentOf,
  LOG_COMPONENTS,
  type LogComponent,
  type LogConfig,
  type LogLevelName,
  type LogType,
} from '../api/logs.js';
import { FileAnswer } from '../operations/file-answer.js';
import type { RadioLink } from '../radio/radio-link.js';
import { LOG_SOURCES } from './log-sources.js';
import { mergedLines } from './merged-lines.js';
import {
  closeAll,
  contentOf,
  type OpenedFile,
  openRotatedSet,
  removeRotatedSet,
} from './rotated-set.js';
import { tarOf } from './tar.js';

const LEVELS: Readonly<Record<LogLevelName, { own: string; radio: LogLevel }>> = {
  OFF: { own: 'silent', radio: LogLevel.LOG_LEVEL_OFF },
  FATAL: { own: 'fatal', radio: LogLevel.LOG_LEVEL_FATAL },
  ERROR: { own: 'error', radio: LogLevel.LOG_LEVEL_ERROR },
  WARNING: { own: 'warn', radio: LogLevel.LOG_LEVEL_WARNING },
  INFO: { own: 'info', radio: LogLevel.LOG_LEVEL_INFO },
  DEBUG: { own: 'debug', radio: LogLevel.LOG_LEVEL_DEBUG },
};

/** Of a component that was never told another. */
const FACTORY_LEVEL: LogLevelName = 'INFO';

type Levels = Partial<Record<LogComponent, LogLevelName>>;

export interface LogsOptions {
  /** Of the log files of both services. */
  folder: string;
  store: Setting<LogConfig>;
  /** Of all that can be set. */
  changes: Changes;
  radio: RadioLink;
  log: Logger;
  /** Those of this service; undefined: it writes none. */
  files: LogFiles | undefined;
}

export class Logs {
  readonly #folder: string;
  readonly #store: Setting<LogConfig>;
  readonly #changes: Changes;
  readonly #radio: RadioLink;
  readonly #log: Logger;
  readonly #files: LogFiles | undefined;

  /** The store must be loaded. */
  constructor({ folder, store, changes, radio, log, files }: LogsOptions) {
    this.#folder = folder;
    this.#store = store;
    this.#changes = changes;
    this.#radio = radio;
    this.#log = log;
    this.#files = files;
    this.#setOwnLevel(levelsOf(store.present).cloud_agent);
    // It forgets what it was told when it ends. After a change that is under way: that may be newer.
    radio.onConnected(() => void this.#changes.make(() => this.#tellRadio()));
  }

  config(): LogConfig {
    return effectiveLogConfig(this.#store.present);
  }

  /** Lines of this service that were lost. */
  get lost(): number {
    return this.#files?.lost ?? 0;
  }

  /** Whole or not at all. @throws INVALID, STATE (the radio has no packet log), STORAGE */
  change(given: LogConfig): Promise<void> {
    return this.#changes.make((change) => this.put(change, given));
  }

  /** As a part of a change. A radio that is away is told when it comes. @throws as change() */
  async put(change: Change, given: LogConfig): Promise<void> {
    assertOneLevelEach(given);
    const before = this.#store.present;
    const after = mergedLogConfig(before, given);
    await this.#store.put(change, after);
    if (given.radioPacketLog !== undefined) {
      const { radioPacketLog } = given;
      const old = before.radioPacketLog ?? false;
      await change.step(
        () => this.#setPacketLog(radioPacketLog),
        () => this.#setPacketLog(old),
      );
    }
    const level = levelsOf(given).radio_control;
    const old = levelsOf(before).radio_control ?? FACTORY_LEVEL;
    await change.step(
      () => this.#setRadioLevel(level),
      async () => level !== undefined && (await this.#setRadioLevel(old)),
    );
    change.whenDone(() => this.#setOwnLevel(levelsOf(after).cloud_agent));
  }

  /** A log as it is now. */
  async read(type: LogType): Promise<FileAnswer> {
    await this.#files?.flush();
    const sets: OpenedFile[][] = [];
    try {
      for (const name of LOG_SOURCES[type]) sets.push(await openRotatedSet(this.#folder, name));
    } catch (error) {
      await closeAll(sets.flat());
      throw error;
    }
    const files = sets.flat();
    if (type === 'syslog') {
      const archive = streamOf(files, tarOf(files, Date.now()));
      const gzip = createGzip();
      archive.on('error', (error) => gzip.destroy(error));
      gzip.on('close', () => archive.destroy());
      return new FileAnswer('syslog.tar.gz', 'application/gzip', archive.pipe(gzip), false);
    }
    const lines = sets.length > 1 ? mergedLines(sets) : contents(files);
    return new FileAnswer(`${type}.ndjson`, 'application/x-ndjson', streamOf(files, lines), true);
  }

  async purge(type: LogType): Promise<void> {
    // Before the files go: what waits for the disk is as old as they are.
    await this.#files?.flush();
    for (const name of LOG_SOURCES[type]) await removeRotatedSet(this.#folder, name);
    this.#log.info({ logType: type }, 'log purged');
  }

  async #tellRadio(): Promise<void> {
    const config = this.#store.present;
    try {
      await this.#setRadioLevel(levelsOf(config).radio_control);
      if (config.radioPacketLog !== undefined) await this.#setPacketLog(config.radioPacketLog);
    } catch (err) {
      this.#log.warn({ err }, 'the radio service does not log as it was set');
    }
  }

  async #setRadioLevel(level: LogLevelName | undefined): Promise<void> {
    if (level === undefined) return;
    await this.#ifRadioIsThere(() => this.#radio.setLogLevel(LEVELS[level].radio));
  }

  async #setPacketLog(on: boolean): Promise<void> {
    await this.#ifRadioIsThere(() => this.#radio.setPacketLog(on));
  }

  #setOwnLevel(level: LogLevelName | undefined): void {
    if (level !== undefined) this.#log.level = LEVELS[level].own;
  }

  async #ifRadioIsThere(tell: () => Promise<void>): Promise<void> {
    try {
      await tell();
    } catch (error) {
      if (!isSingulateError(error, 'UNAVAILABLE')) throw error;
    }
  }
}

/** What holds, defaults included. */
export function effectiveLogConfig(config: LogConfig): LogConfig {
  const levels = levelsOf(config);
  return {
    radioPacketLog: config.radioPacketLog ?? false,
    components: LOG_COMPONENTS.map((componentName) => ({
      componentName,
      level: levels[componentName] ?? FACTORY_LEVEL,
    })),
  };
}

function levelsOf({ components = [] }: LogConfig): Levels {
  return Object.fromEntries(
    components.map(({ componentName, level }) => [componentOf(componentName), level]),
  );
}

/** What holds after a change. */
export function mergedLogConfig(before: LogConfig, change: LogConfig): LogConfig {
  const levels = { ...levelsOf(before), ...levelsOf(change) };
  const components = LOG_COMPONENTS.flatMap((componentName) => {
    const level = levels[componentName];
    return level === undefined ? [] : [{ componentName, level }];
  });
  const radioPacketLog = change.radioPacketLog ?? before.radioPacketLog;
  return { ...(radioPacketLog === undefined ? {} : { radioPacketLog }), components };
}

/** @throws INVALID */
export function assertOneLevelEach({ components = [] }: LogConfig): void {
  const names = components.map(({ componentName }) => componentOf(componentName));
  const violations: Violation[] = names.flatMap((name, i) => {
    const first = names.indexOf(name);
    if (first === i) return [];
    const field = `components[${i}].componentName`;
    return [{ field, message: `${name} has its level in components[${first}] already` }];
  });
  if (violations.length > 0) throw invalid(violations);
}

async function* contents(files: readonly OpenedFile[]): AsyncGenerator<Buffer> {
  for (const file of files) yield* contentOf(file);
}

/** However it ends, also if nobody reads it, the files are closed. */
function streamOf(files: readonly OpenedFile[], content: AsyncIterable<string | Buffer>): Readable {
  const stream = Readable.from(content, { objectMode: false });
  stream.on('close', () => void closeAll(files));
  return stream;
}
