/** How a client reaches the service: by a Unix socket, or over TCP with certificates. */
import { type ChannelCredentials, type ClientOptions, credentials } from '@grpc/grpc-js';

/** PEM. */
export interface ClientTls {
  /** Of those who sign the certificates of services. */
  ca: Buffer;
  /** The client's own: its CN is the client's name, its OU the role. */
  cert: Buffer;
  key: Buffer;
  /** The name that the service's certificate has, if it is called by another. */
  serverName?: string;
}

const OPTIONS: ClientOptions = {
  // The service may be away for a while and be back at once: never wait longer than this.
  'grpc.initial_reconnect_backoff_ms': 100,
  'grpc.max_reconnect_backoff_ms': 2000,
  // A busy batch of a fast simulation is far below this; the default of 4 MiB also holds.
  'grpc.max_receive_message_length': 16 * 1024 * 1024,
  // The service counts streams by connection: what others in this process do must not count here.
  'grpc.use_local_subchannel_pool': 1,
};

/**
 * Two processes can wait for each other for ever: both write, and neither reads before it has
 * written. Such a connection is ended by a timer, and made again.
 */
const ON_THIS_MACHINE: ClientOptions = {
  'grpc.keepalive_time_ms': 1000,
  'grpc.keepalive_timeout_ms': 2000,
};

/** A peer that went without a word is noticed by its silence. */
const OVER_NETWORKS: ClientOptions = {
  'grpc.keepalive_time_ms': 20_000,
  'grpc.keepalive_timeout_ms': 10_000,
};

/** @throws if the certificate and the key do not fit. */
export function clientChannel(tls: ClientTls | undefined): {
  credentials: ChannelCredentials;
  options: ClientOptions;
} {
  if (tls === undefined) {
    const options = { ...OPTIONS, ...ON_THIS_MACHINE };
    return { credentials: credentials.createInsecure(), options };
  }
  const { ca, cert, key, serverName } = tls;
  const named = serverName === undefined ? {} : { 'grpc.ssl_target_name_override': serverName };
  return {
    credentials: credentials.createSsl(ca, key, cert),
    options: { ...OPTIONS, ...OVER_NETWORKS, ...named },
  };
}
