/** The fields of requests that make the reader fetch a file from a server. */
import { TextEnum, Type } from './schema.js';

/** The CA file that holds if a request names none, on readers that have it. */
export const DEFAULT_CA_FILE = '/readerconfig/ssl/certs/cloud-trusted-ca-certs.crt';

const Wait = (options: object) =>
  Type.Optional(Type.Integer({ minimum: 0, maximum: 3600, ...options }));
const Timeout = (options: object) =>
  Type.Optional(Type.Integer({ minimum: 1, maximum: 3600, ...options }));

export const fetchFields = {
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
    Type.String({ description: 'PEM; wins over the location' }),
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
            Type.Integer({
              minimum: 0,
              maximum: 1000,
              default: 20,
              description: 'After the first try',
            }),
          ),
          wait: Type.Optional(
            Type.Object(
              { min: Wait({ default: 1 }), max: Wait({ default: 60 }) },
              { description: 'Seconds between tries: random, and growing from min to max' },
            ),
          ),
        }),
      ),
    }),
  ),
  timeouts: Type.Optional(
    Type.Object({
      connection: Timeout({ default: 30, description: 'Seconds' }),
      read: Timeout({ default: 60, description: 'Seconds without a byte' }),
    }),
  ),
};
