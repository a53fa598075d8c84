/** Log lines as text for people. */
import type { DestinationStream } from 'pino';
import { PinoPretty } from 'pino-pretty';

/** @param fd File descriptor the lines go to: 1 (standard output) or 2. */
export function prettyLines(fd: 1 | 2 = 1): DestinationStream {
  return PinoPretty({
    destination: fd,
    sync: true,
    colorize: process.env.NO_COLOR === undefined && process.stdout.isTTY === true,
    ignore: 'component',
    messageFormat: `{component}: {msg}`,
    translateTime: 'SYS:HH:MM:ss.l',
  });
}
