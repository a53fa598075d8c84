/** Stands before every call of a connection: no handler is reached without its role and limits. */
import {
  type Metadata,
  ServerInterceptingCall,
  type ServerInterceptor,
  ServerListenerBuilder,
  status,
} from '@grpc/grpc-js';
import { type DetailedStatus, detailedStatus } from '../../contract/error-details.js';
import type { ErrorInfo } from '../../shared/errors.js';
import { type Caller, rememberCaller } from './caller.js';
import type { Clients, ClientUse, Refusal } from './client-limits.js';
import { Malformed } from './malformed.js';
import { leastRole, reaches } from './roles.js';

export interface Refused {
  reason: Refusal;
  code: status;
  details: string;
  /** What a program may act on. */
  info: ErrorInfo;
}

/** Of a connection that gets nothing but this answer. */
export function closedGate(clients: Clients, refused: Refused): ServerInterceptor {
  return (_method, call) =>
    new ServerInterceptingCall(call, {
      start: (next) =>
        next({
          onReceiveMetadata: () => {
            clients.refuse(refused.reason);
            call.sendStatus(statusOf(refused));
          },
        }),
    });
}

export function gate(clients: Clients, caller: Caller, use: ClientUse): ServerInterceptor {
  return ({ path, responseStream }, call) => {
    let counted = false;
    // From here on onCancel is certain to come, whatever becomes of the call.
    const onReceiveMetadata = (metadata: Metadata, next: (metadata: Metadata) => void) => {
      const refused = refusal(clients, caller, use, path, responseStream);
      if (refused !== undefined) {
        clients.refuse(refused.reason);
        call.sendStatus(statusOf(refused));
        return;
      }
      if (responseStream) {
        use.streams += 1;
        counted = true;
      }
      rememberCaller(metadata, caller);
      next(metadata);
    };
    const onCancel = () => {
      if (counted) use.streams -= 1;
      counted = false;
    };
    const onReceiveMessage = (message: unknown, next: (message: unknown) => void) => {
      if (message instanceof Malformed) call.sendStatus(message.status);
      else next(message);
    };
    const listener = new ServerListenerBuilder()
      .withOnReceiveMetadata(onReceiveMetadata)
      .withOnReceiveMessage(onReceiveMessage)
      .withOnCancel(onCancel)
      .build();
    return new ServerInterceptingCall(call, { start: (next) => next(listener) });
  };
}

export const limitInfo = (limit: string): ErrorInfo => ({ reason: 'LIMIT', metadata: { limit } });

function statusOf({ code, details, info }: Refused): DetailedStatus {
  return detailedStatus(code, details, { info });
}

function refusal(
  clients: Clients,
  { name, role }: Caller,
  use: ClientUse,
  path: string,
  isStream: boolean,
): Refused | undefined {
  const { maxCallsPerSecond, maxStreams } = clients.limits;
  const exhausted = status.RESOURCE_EXHAUSTED;
  if (!clients.takeCall(use)) {
    const details = `${name} makes more than ${maxCallsPerSecond} calls a second (--grpc-max-calls)`;
    return { reason: 'calls', code: exhausted, details, info: limitInfo('calls') };
  }
  const needed = leastRole(path);
  if (!reaches(role, needed)) {
    const method = path.slice(path.lastIndexOf('/') + 1);
    const details = `${method} needs the role ${needed}; ${name} has the role ${role}`;
    const info = { reason: 'ROLE', metadata: { needed, role } };
    return { reason: 'role', code: status.PERMISSION_DENIED, details, info };
  }
  if (isStream && use.streams >= maxStreams) {
    const details = `${name} has ${maxStreams} streams open, as many as it may (--grpc-max-streams)`;
    return { reason: 'streams', code: exhausted, details, info: limitInfo('streams') };
  }
  return undefined;
}
