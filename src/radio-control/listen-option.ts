/** The form of --grpc-listen. */
export interface ListenAddress {
  host: string;
  port: number;
}

export const LISTEN_FORM =
  'HOST:PORT, as 0.0.0.0:50051, [::]:50051 or reader.local:50051, with a port of 1..65535';

const FORM = /^(?:\[([0-9a-fA-F:.]+)\]|([A-Za-z0-9][A-Za-z0-9.-]*)):(\d{1,5})$/;

/** @returns undefined if it is none. */
export function parseListen(text: string): ListenAddress | undefined {
  const [, six, other, digits] = FORM.exec(text) ?? [];
  const host = six ?? other;
  const port = Number(digits);
  return host === undefined || port < 1 || port > 65535 ? undefined : { host, port };
}

/** --grpc-port is the short form for programs on this machine. */
export function loopback(port: number): ListenAddress {
  return { host: '127.0.0.1', port };
}

/** Those that gRPC over TCP cannot do without. */
export const TLS_OPTIONS = ['grpc-cert', 'grpc-key', 'grpc-client-ca'] as const;

/** What to do about it. */
export const TLS_HINT = '(singulate grpc-certificates DIR makes them; docs/grpc-security.md)';
