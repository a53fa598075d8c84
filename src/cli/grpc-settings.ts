/** The settings of gRPC beside the radio socket. Throws CONFIG. */
import {
  type ListenAddress,
  loopback,
  parseListen,
  TLS_HINT,
  TLS_OPTIONS,
} from '../radio-control/listen-option.js';
import { configError } from '../shared/errors.js';
import type { GivenOptions } from './command-line.js';

export interface GrpcSettings {
  /** Over TLS. */
  listen: GrpcListen | undefined;
  observerSocket: string | undefined;
  maxStreams: number | undefined;
}

export interface GrpcListen extends ListenAddress {
  /** The option it came by, for messages. */
  option: '--grpc-listen' | '--grpc-port';
  /** Options of radio-control, as they stand: address, certificates. */
  args: string[];
}

/** In the order in which radio-control gets them. */
const FILES = [...TLS_OPTIONS, 'grpc-client-crl'] as const;

export function grpcSettings(options: GivenOptions): GrpcSettings {
  return {
    listen: listenSettings(options),
    observerSocket: options['grpc-observer-socket'] as string | undefined,
    maxStreams: options['grpc-max-streams'] as number | undefined,
  };
}

function listenSettings(options: GivenOptions): GrpcListen | undefined {
  const listen = options['grpc-listen'] as string | undefined;
  const port = options['grpc-port'] as number | undefined;
  if (listen !== undefined && port !== undefined) {
    throw configError('--grpc-listen and --grpc-port are both given; allowed: one of the two');
  }
  const option = listen === undefined ? '--grpc-port' : '--grpc-listen';
  const given = listen ?? port;
  if (given === undefined) {
    const stray = FILES.find((name) => options[name] !== undefined);
    if (stray !== undefined) throw configError(`--${stray} is for --grpc-listen or --grpc-port`);
    return undefined;
  }
  const missing = TLS_OPTIONS.find((name) => options[name] === undefined);
  if (missing !== undefined) throw configError(`${option} ${given} needs --${missing} ${TLS_HINT}`);
  const address = listen === undefined ? loopback(port as number) : parseListen(listen);
  const files = FILES.filter((name) => options[name] !== undefined);
  return {
    option,
    // Its form was checked where it was read.
    ...(address as ListenAddress),
    args: [
      ...[option, String(given)],
      ...files.flatMap((name) => [`--${name}`, String(options[name])]),
    ],
  };
}

export function grpcArgs({ listen, observerSocket, maxStreams }: GrpcSettings): string[] {
  return [
    ...(listen === undefined ? [] : listen.args),
    ...(observerSocket === undefined ? [] : ['--observer-socket', observerSocket]),
    ...(maxStreams === undefined ? [] : ['--grpc-max-streams', String(maxStreams)]),
  ];
}
