/** At DEBUG, each call and what came of it. */
import { status, type UntypedServiceImplementation } from '@grpc/grpc-js';
import { debugLine, elapsedMs } from '../../shared/debug-line.js';
import type { Logger } from '../../shared/log.js';
import type { Done } from './answers.js';

// biome-ignore lint/suspicious/noExplicitAny: calls of all kinds
type Handler = (call: any, done?: Done) => void;

/** Handlers that log each call: never what was asked for, which may hold passwords of tags. */
export function loggedCalls(
  log: Logger,
  handlers: UntypedServiceImplementation,
): UntypedServiceImplementation {
  const logged = Object.entries(handlers).map(([call, handler]) => {
    const handle = handler as Handler;
    // One parameter: a stream, which has no answer.
    if (handle.length === 1) {
      const begin: Handler = (stream) => {
        debugLine(log, 'stream begins', () => ({ call }));
        stream.on('cancelled', () => debugLine(log, 'stream ended', () => ({ call })));
        handle(stream);
      };
      return [call, begin];
    }
    const answered: Handler = (request, done) => {
      const sinceMs = performance.now();
      handle(request, (error, value) => {
        const { code, details } = (error ?? {}) as { code?: number; details?: string };
        // Of a wrong request the reason shows what was given.
        const reason = code === status.INVALID_ARGUMENT ? {} : { reason: details };
        const outcome = error === null ? {} : { code, ...reason };
        debugLine(log, 'call', () => ({ call, ms: elapsedMs(sinceMs), ...outcome }));
        done?.(error, value);
      });
    };
    return [call, answered];
  });
  return Object.fromEntries(logged);
}
