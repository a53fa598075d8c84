/** The fields of requests that make the reader fetch a file from a server. */
import { TextEnum, Type } from './schema.js';

/** The CA file that holds if a request names none, on readers that have it. */
export const DEFAULT_CA_FILE = '/readerconfig/ssl/certs/cloud-trusted-ca-certs.crt';

/** Seconds, and counts. */
export interface FetchLimits {
  retries: { default: number; maximum: number };
  wait: { min: number; max: number; maximum: number };
  /** 0 as the minimum: it stands for the default. */
  timeouts: { connection: number; read: number; minimum: 0 | 1; maximum: number };
}

/** The properties of such a request, beside its url. */
export const fetchFields = ({ retries, wait, timeouts }: FetchLimits) => ({
  authenticationType: TextEnum(['NONE', 'BASIC']),
  options: Type.Optional(
    Type.Object(
      { username: Type.Optional(Type.String()), password: Type.Optional(Type.String()) },
      { description: 'Credentials of authenticationType BASIC' },
    ),
  ),
  verifyPeer: Type.Optional(
    Type.Boolean({ default: true, description: 'The certificate must be of a known CA' }),
  ),
  verifyHost: Type.Optional(
    Type.Boolean({ default: true, description: 'The certificate must be for this host' }),
  ),
  CACertificateFileContent: Type.Optional(
    Type.String({ maxLength: 262_144, description: 'PEM; wins over the location' }),
  ),
  CACertificateFileLocation: Type.Optional(
    Type.String({
      default: DEFAULT_CA_FILE,
      description:
        'PEM file on the reader; the default where it exists, else the CAs of the system',
    }),
  ),
  headers: Type.Optional(
    Type.Record(Type.String(), Type.String(), { description: 'Sent with the request' }),
  ),
  retry: Type.Optional(
    Type.Object({
      type: Type.Optional(TextEnum(['randomWait'])),
      policy: Type.Optional(
        Type.Object({
          retries: Type.Optional(
            Type.Integer({ minimum: 0, ...retries, description: 'After the first try' }),
          ),
          wait: Type.Optional(
            Type.Object(
              { min: seconds(wait.min, 0, wait.maximum), max: seconds(wait.max, 0, wait.maximum) },
              { description: 'Seconds between tries: random, and growing from min to max' },
            ),
          ),
        }),
      ),
    }),
  ),
  timeouts: Type.Optional(
    Type.Object({
      connection: seconds(timeouts.connection, timeouts.minimum, timeouts.maximum),
      read: seconds(timeouts.read, timeouts.minimum, timeouts.maximum, 'Seconds without a byte'),
    }),
  ),
});

function seconds(given: number, minimum: number, maximum: number, description = 'Seconds') {
  return Type.Optional(Type.Integer({ default: given, minimum, maximum, description }));
}
