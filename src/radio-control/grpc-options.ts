/** The options of gRPC: sockets, TLS, limits. Throws CONFIG errors that name the option. */
import { configError } from '../shared/errors.js';
import { DEFAULT_LIMITS } from './grpc/client-limits.js';
import type { GrpcServerOptions } from './grpc/server.js';
import {
  LISTEN_FORM,
  type ListenAddress,
  loopback,
  parseListen,
  TLS_HINT,
  TLS_OPTIONS,
} from './listen-option.js';

export const GRPC_OPTIONS = {
  socket: { type: 'string' },
  'socket-mode': { type: 'string' },
  'socket-group': { type: 'string' },
  'observer-socket': { type: 'string' },
  'observer-socket-mode': { type: 'string' },
  'grpc-listen': { type: 'string' },
  'grpc-port': { type: 'string' },
  'grpc-cert': { type: 'string' },
  'grpc-key': { type: 'string' },
  'grpc-client-ca': { type: 'string' },
  'grpc-client-crl': { type: 'string' },
  'grpc-max-clients': { type: 'string' },
  'grpc-max-streams': { type: 'string' },
  'grpc-max-calls': { type: 'string' },
  'grpc-keepalive': { type: 'string' },
} as const;

export const GRPC_USAGE = `--socket PATH [--socket-mode MODE] [--socket-group NAME|GID]
                     [--observer-socket PATH] [--observer-socket-mode MODE]
                     [--grpc-listen HOST:PORT | --grpc-port PORT]
                     [--grpc-cert FILE --grpc-key FILE --grpc-client-ca FILE]
                     [--grpc-client-crl FILE] [--grpc-max-clients N]
                     [--grpc-max-streams N] [--grpc-max-calls N] [--grpc-keepalive SECONDS]`;

/** Of the group as well: it is the service's own, or one that was chosen. */
const SOCKET_MODE = 0o660;
const OBSERVER_SOCKET_MODE = 0o666;
/** Only a client that may write to a socket can connect, and the service itself always may. */
const MODES = ['0600', '0660', '0666'] as const;
const KEEPALIVE_SECONDS = 20;

/** How the other options are read. */
export interface OptionReader {
  text(name: string): string | undefined;
  integer(name: string, min: number, max: number): number | undefined;
}

export function grpcOptions(socket: string, reader: OptionReader): GrpcServerOptions {
  const { text, integer } = reader;
  return {
    socket: {
      option: '--socket',
      path: socket,
      mode: mode(text, 'socket-mode') ?? SOCKET_MODE,
      group: text('socket-group'),
    },
    observerSocket: observerSocket(socket, text),
    tls: tls(reader),
    limits: {
      ...DEFAULT_LIMITS,
      maxConnections: integer('grpc-max-clients', 1, 4096) ?? DEFAULT_LIMITS.maxConnections,
      maxStreams: integer('grpc-max-streams', 1, 1024) ?? DEFAULT_LIMITS.maxStreams,
      maxCallsPerSecond:
        integer('grpc-max-calls', 1, 1_000_000) ?? DEFAULT_LIMITS.maxCallsPerSecond,
    },
    keepaliveSeconds: integer('grpc-keepalive', 1, 3600) ?? KEEPALIVE_SECONDS,
  };
}

type Text = OptionReader['text'];

function mode(text: Text, name: string): number | undefined {
  const given = text(name);
  if (given === undefined) return undefined;
  const known = MODES.find((one) => Number.parseInt(one, 8) === Number.parseInt(given, 8));
  if (known === undefined || !/^[0-7]{3,4}$/.test(given)) {
    throw configError(`--${name}: ${given} given; allowed: ${MODES.join(', ')}`);
  }
  return Number.parseInt(known, 8);
}

function observerSocket(socket: string, text: Text): GrpcServerOptions['observerSocket'] {
  const path = text('observer-socket');
  const given = mode(text, 'observer-socket-mode');
  if (path === undefined) {
    if (given !== undefined) throw configError('--observer-socket-mode is for --observer-socket');
    return undefined;
  }
  if (path === '' || path === socket) {
    throw configError(
      `--observer-socket: ${path || 'nothing'} given; allowed: another path than --socket`,
    );
  }
  return { option: '--observer-socket', path, mode: given ?? OBSERVER_SOCKET_MODE };
}

function tls(reader: OptionReader): GrpcServerOptions['tls'] {
  const { text } = reader;
  const listen = text('grpc-listen');
  const address = listenAddress(listen, reader);
  if (address === undefined) {
    const stray = [...TLS_OPTIONS, 'grpc-client-crl'].find((name) => text(name) !== undefined);
    if (stray !== undefined) throw configError(`--${stray} is for --grpc-listen or --grpc-port`);
    return undefined;
  }
  const option = listen === undefined ? `--grpc-port ${address.port}` : `--grpc-listen ${listen}`;
  for (const name of TLS_OPTIONS) {
    if (!text(name)) throw configError(`${option} needs --${name} ${TLS_HINT}`);
  }
  return {
    option,
    ...address,
    files: {
      cert: text('grpc-cert') as string,
      key: text('grpc-key') as string,
      clientCa: text('grpc-client-ca') as string,
      clientCrl: text('grpc-client-crl'),
    },
  };
}

function listenAddress(
  listen: string | undefined,
  { integer }: OptionReader,
): ListenAddress | undefined {
  const port = integer('grpc-port', 1, 65535);
  if (listen === undefined) return port === undefined ? undefined : loopback(port);
  if (port !== undefined) throw configError('--grpc-listen and --grpc-port exclude each other');
  const address = parseListen(listen);
  if (address === undefined) {
    throw configError(`--grpc-listen: ${listen} given; allowed: ${LISTEN_FORM}`);
  }
  return address;
}
