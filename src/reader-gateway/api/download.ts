/** The fields of requests that make the reader fetch a file (interface: user application, OS update). */
import { type Static, TextEnum, Type } from './schema.js';

const seconds = (description: string, maximum: number) =>
  Type.Optional(Type.Integer({ minimum: 0, maximum, description }));

/** For the properties of a request. */
export const DOWNLOAD_FIELDS = {
  url: Type.String({ minLength: 1, maxLength: 2048, description: 'http or https file server URL' }),
  authenticationType: TextEnum(['NONE', 'BASIC']),
  options: Type.Optional(
    Type.Object(
      { username: Type.Optional(Type.String()), password: Type.Optional(Type.String()) },
      { description: 'Credentials of BASIC' },
    ),
  ),
  verifyPeer: Type.Optional(Type.Boolean({ default: true })),
  verifyHost: Type.Optional(Type.Boolean({ default: true })),
  CACertificateFileLocation: Type.Optional(
    Type.String({ description: 'PEM file on the reader; the content wins if both are there' }),
  ),
  CACertificateFileContent: Type.Optional(Type.String({ maxLength: 262_144, description: 'PEM' })),
  headers: Type.Optional(
    Type.Record(Type.String(), Type.String(), { description: 'Sent with the request' }),
  ),
  retry: Type.Optional(
    Type.Object({
      type: Type.Optional(TextEnum(['randomWait'])),
      policy: Type.Optional(
        Type.Object({
          retries: Type.Optional(Type.Integer({ minimum: 0, maximum: 20 })),
          wait: Type.Optional(
            Type.Object({
              min: seconds('Seconds', 300),
              max: seconds('Seconds', 300),
            }),
          ),
        }),
      ),
    }),
  ),
  timeouts: Type.Optional(
    Type.Object({
      connection: seconds('Seconds; 0 = the default', 600),
      read: seconds('Seconds without a byte; 0 = the default', 600),
    }),
  ),
};

const Download = Type.Object(DOWNLOAD_FIELDS);
export type Download = Static<typeof Download>;
