/** Who makes a call. */
import type { Metadata } from '@grpc/grpc-js';
import type { Role } from './roles.js';

export interface Caller {
  /** Of a TLS client the common name of its certificate, of a socket client one for each connection. */
  name: string;
  role: Role;
  via: 'socket' | 'observer-socket' | 'tls';
}

// The metadata object of a call is the one thing that both the gate and the handlers hold.
const callers = new WeakMap<Metadata, Caller>();

export function rememberCaller(metadata: Metadata, caller: Caller): void {
  callers.set(metadata, caller);
}

/** For handlers: every call that reaches one has passed the gate. */
export function callerOf(call: { metadata: Metadata }): Caller {
  const caller = callers.get(call.metadata);
  if (caller === undefined) throw new Error('a call came past the gate');
  return caller;
}
