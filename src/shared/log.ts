/** Structured logs of all programs: JSON lines, or text for people. */
import { type Logger, pino } from 'pino';
import { PinoPretty } from 'pino-pretty';

export type { Logger } from 'pino';

export const LOG_FORMATS = ['json', 'pretty'] as const;
export type LogFormat = (typeof LOG_FORMATS)[number];

export interface LogOptions {
  format: LogFormat;
  level?: string;
  /** File descriptor the lines go to: 1 (standard output, the default) or 2. */
  fd?: 1 | 2;
}

// Whoever logs a whole configuration or request by mistake still leaks no secret.
const SECRETS = [
  'password',
  'currentPassword',
  'newPassword',
  'pfxPassword',
  'pfxContent',
  'privateKeyFileContent',
  'authorization',
  'token',
];

/** @param component Name in every line: radio_control, reader_gateway or singulate. */
export function createLogger(component: string, options: LogOptions): Logger {
  const fd = options.fd ?? 1;
  const settings = {
    level: options.level ?? 'info',
    base: { component },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    redact: {
      paths: SECRETS.flatMap((key) => [key, `*.${key}`, `*.*.${key}`, `*.*.*.${key}`]),
      censor: '(secret)',
    },
  };
  if (options.format === 'json') return pino(settings, pino.destination({ dest: fd, sync: true }));
  return pino(
    settings,
    PinoPretty({
      destination: fd,
      sync: true,
      colorize: process.env.NO_COLOR === undefined && process.stdout.isTTY === true,
      ignore: 'component',
      messageFormat: `{component}: {msg}`,
      translateTime: 'SYS:HH:MM:ss.l',
    }),
  );
}
