/** Structured logs of all programs: JSON lines, or text for people. */
import { type DestinationStream, type Logger, pino } from 'pino';
import type { LogFiles } from './log-files.js';
import type { LogFormat } from './log-formats.js';
import { SECRET_MAPS, SECRET_NAMES } from './secret-names.js';

export type { Logger } from 'pino';

export interface LogOptions {
  level?: string;
  /** File descriptor the lines go to: 1 (standard output, the default) or 2. */
  fd?: 1 | 2;
  /** They get every line as well, as JSON whatever the format. */
  files?: LogFiles | undefined;
}

/** @param component Name in every line: radio_control, reader_gateway or singulate. */
export async function openLogger(
  component: string,
  { format, ...options }: LogOptions & { format: LogFormat },
): Promise<Logger> {
  if (format === 'json') return createLogger(component, options);
  // A reader has no use for it, and starts without.
  const { prettyLines } = await import('./pretty-lines.js');
  return createLogger(component, options, prettyLines(options.fd));
}

/** JSON lines, if nothing else is given. */
export function createLogger(
  component: string,
  { level = 'info', fd = 1, files }: LogOptions,
  output: DestinationStream = pino.destination({ dest: fd, sync: true }),
): Logger {
  const settings = {
    level,
    base: { component },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    // Code that logs a whole configuration or request by mistake still leaks no secret.
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
  return pino(settings, files === undefined ? output : withFiles(output, files));
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
