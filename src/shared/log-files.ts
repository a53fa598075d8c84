/**
 * The log files of a service: one rotated set for each of three levels, so that a flood of
 * information never pushes an error out. Both services write them and the gateway hands them out.
 */
import { join } from 'node:path';
import { RotatingFile } from './rotating-file.js';

/** Folder of all logs, in the state folder. */
export const LOG_FOLDER = 'logs';

export const LOG_PARTS = ['error', 'warning', 'info'] as const;
export type LogPart = (typeof LOG_PARTS)[number];

/** What is on the air; written by radio-control alone. */
export const PACKET_LOG_FILE = 'radio_packets.ndjson';

/** @param component radio_control or reader_gateway. */
export function logFileName(component: string, part: LogPart): string {
  return `${component}.${part}.log`;
}

/** Of a service, all its log files together. */
export const LOG_MEGABYTES = 9;
/** About half a minute of a busy air. */
export const PACKET_LOG_MEGABYTES = 16;

export interface LogLimits {
  /** Of one file. */
  maxBytes: number;
  files: number;
}

const FILES = 3;
const PACKET_FILES = 4;
const MEGABYTE = 1024 * 1024;

/** Of each part of the log of a service. */
export function logLimits(megabytes: number): LogLimits {
  const maxBytes = Math.floor((megabytes * MEGABYTE) / (FILES * LOG_PARTS.length));
  return { maxBytes, files: FILES };
}

export function packetLogLimits(megabytes: number): LogLimits {
  return { maxBytes: Math.floor((megabytes * MEGABYTE) / PACKET_FILES), files: PACKET_FILES };
}

// Numbers of pino's levels.
const WARN = 40;
const ERROR = 50;

export class LogFiles {
  readonly #parts: Record<LogPart, RotatingFile>;

  constructor(folder: string, component: string, limits: LogLimits) {
    const part = (name: LogPart, level: string) =>
      new RotatingFile({
        path: join(folder, logFileName(component, name)),
        ...limits,
        lossLine: (lost) =>
          JSON.stringify({
            level,
            time: new Date().toISOString(),
            component,
            lost,
            msg: 'log lines were lost: the disk could not take them',
          }),
      });
    this.#parts = {
      error: part('error', 'error'),
      warning: part('warning', 'warn'),
      info: part('info', 'info'),
    };
  }

  /** @param level Number of pino's level. */
  write(level: number, line: string): void {
    const part = level >= ERROR ? 'error' : level >= WARN ? 'warning' : 'info';
    this.#parts[part].write(line);
  }

  /** Lines lost so far. */
  get lost(): number {
    return LOG_PARTS.reduce((sum, part) => sum + this.#parts[part].lost, 0);
  }

  async flush(): Promise<void> {
    await Promise.all(LOG_PARTS.map((part) => this.#parts[part].flush()));
  }

  flushSync(): void {
    for (const part of LOG_PARTS) this.#parts[part].flushSync();
  }

  async close(): Promise<void> {
    await Promise.all(LOG_PARTS.map((part) => this.#parts[part].close()));
  }
}
