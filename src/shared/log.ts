/** Structured logs of all programs: JSON lines, or text for people. */
import { type DestinationStream, type Logger, pino } from 'pino';
import { PinoPretty } from 'pino-pretty';
import type { LogFiles } from './log-files.js';
import { SECRET_MAPS, SECRET_NAMES } from './secret-names.js';

export type { Logger } from 'pino';

export const LOG_FORMATS = ['json', 'pretty'] as const;
export type LogFormat = (typeof LOG_FORMATS)[number];

export interface LogOptions {
  format: LogFormat;
  level?: string;
  /** File descriptor the lines go to: 1 (standard output, the default) or 2. */
  fd?: 1 | 2;
  /** They get every line as well, as JSON whatever the format. */
  files?: LogFiles | undefined;
}

/** @param component Name in every line: radio_control, reader_gateway or singulate. */
export function createLogger(component: string, options: LogOptions): Logger {
  const fd = options.fd ?? 1;
  const settings = {
    level: options.level ?? 'info',
    base: { component },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    // Whoever logs a whole configuration or request by mistake still leaks no secret.
    redact: {
      paths: [...SECRET_NAMES, ...SECRET_MAPS].flatMap((key) => [
        key,
        `*.${key}`,
        `*.*.${key}`,
        `*.*.*.${key}`,
      ]),
      censor: '(secret)',
    },
  };
  const output =
    options.format === 'json' ? pino.destination({ dest: fd, sync: true }) : pretty(fd);
  return pino(settings, options.files === undefined ? output : withFiles(output, options.files));
}

function pretty(fd: number): DestinationStream {
  return PinoPretty({
    destination: fd,
    sync: true,
    colorize: process.env.NO_COLOR === undefined && process.stdout.isTTY === true,
    ignore: 'component',
    messageFormat: `{component}: {msg}`,
    translateTime: 'SYS:HH:MM:ss.l',
  });
}

function withFiles(output: DestinationStream, files: LogFiles): DestinationStream {
  const stream = {
    // Asks pino for lastLevel.
    [Symbol.for('pino.metadata')]: true,
    lastLevel: 0,
    write(line: string) {
      output.write(line);
      files.write(stream.lastLevel, line);
    },
  };
  return stream;
}

/** What ends a process by surprise is in its log too, and what waits for the disk is written. */
export function logTheEnd(log: Logger, files: LogFiles): void {
  process.on('uncaughtExceptionMonitor', (err) => log.fatal({ err }, 'the service ends: a fault'));
  process.on('exit', () => files.flushSync());
}
