/** How calls are answered: values, errors, streams. */
import { type ServerUnaryCall, type ServerWritableStream, status } from '@grpc/grpc-js';
import { type DetailedStatus, detailedStatus } from '../../contract/error-details.js';
import { type ErrorCode, errorMessage, isSingulateError } from '../../shared/errors.js';

const STATUS: Record<ErrorCode, status> = {
  INVALID: status.INVALID_ARGUMENT,
  STATE: status.FAILED_PRECONDITION,
  TOO_MANY: status.RESOURCE_EXHAUSTED,
  NOT_FOUND: status.NOT_FOUND,
  UNAVAILABLE: status.UNAVAILABLE,
  UNAUTHENTICATED: status.UNAUTHENTICATED,
  TOO_MANY_LOGINS: status.RESOURCE_EXHAUSTED,
  CONFIG: status.FAILED_PRECONDITION,
  STORAGE: status.INTERNAL,
  INTERNAL: status.INTERNAL,
};

export type Done = (error: object | null, value?: object) => void;

export function toGrpcError(error: unknown): DetailedStatus {
  if (!isSingulateError(error)) return detailedStatus(status.INTERNAL, errorMessage(error));
  const code = error.info?.reason === 'ROLE' ? status.PERMISSION_DENIED : STATUS[error.code];
  return detailedStatus(code, error.message, error);
}

/** @param answer May throw; its signal says that the client is gone. */
export function unary<Req>(
  answer: (request: Req, signal: AbortSignal) => object | Promise<object>,
): (call: ServerUnaryCall<Req, object>, done: Done) => void {
  return async (call, done) => {
    const gone = new AbortController();
    call.on('cancelled', () => gone.abort());
    try {
      done(null, await answer(call.request, gone.signal));
    } catch (error) {
      done(toGrpcError(error));
    }
  };
}

/** Lets a subscription live as long as its call. An error of `subscribe` ends the call. */
export function serveStream<Req, Res>(
  call: ServerWritableStream<Req, Res>,
  subscribe: () => { resume(): void; close(): void },
): void {
  let subscription: ReturnType<typeof subscribe>;
  try {
    subscription = subscribe();
  } catch (error) {
    call.emit('error', toGrpcError(error));
    return;
  }
  call.on('drain', () => subscription.resume());
  call.on('cancelled', () => {
    subscription.close();
    call.end();
  });
  // A connection that breaks while we write: 'cancelled' follows and ends the subscription.
  call.on('error', () => subscription.close());
}
