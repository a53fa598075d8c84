/** Certificates (/cloud/certificates): records, and what their operations take. */
import { CERTIFICATE_TYPES, NAME_PATTERN, NAME_RULE } from '../tls/certificate-names.js';
import { type Static, TextEnum, Type } from './schema.js';

const Name = Type.String({ pattern: NAME_PATTERN, description: NAME_RULE });
const OptionalText = Type.Optional(Type.String());
const Seconds = (description: string) =>
  Type.Optional(Type.Number({ exclusiveMinimum: 0, maximum: 600, description }));

/** The name, in every way the interface writes it; those that are given must agree. */
const names = {
  certname: Type.Optional(Name),
  certificate: Type.Optional(Name),
  certificates: Type.Optional(Name),
  name: Type.Optional(Name),
};

export const CertificateRecord = Type.Object({
  name: Type.String(),
  type: TextEnum(CERTIFICATE_TYPES),
  installTime: Type.String({ description: '"Mon Jun 21 12:38:03 2021", time of the reader' }),
  issuerName: Type.String(),
  publickey: Type.String({ description: 'PEM' }),
  serial: Type.String({ description: 'decimal digits' }),
  subjectName: Type.String(),
  validityStart: Type.String({ description: 'DD/MM/YYYY, UTC' }),
  validityEnd: Type.String({ description: 'DD/MM/YYYY, UTC' }),
});
export type CertificateRecord = Static<typeof CertificateRecord>;

export const CertificateList = Type.Array(CertificateRecord, {
  description: 'Installed certificates, and the one of the first start',
});

const Retry = Type.Object({
  type: Type.Optional(TextEnum(['randomWait'])),
  policy: Type.Optional(
    Type.Object({
      retries: Type.Optional(Type.Integer({ minimum: 0, maximum: 10 })),
      wait: Type.Optional(
        Type.Object({
          min: Type.Optional(Type.Number({ minimum: 0, maximum: 600, description: 's' })),
          max: Type.Optional(Type.Number({ minimum: 0, maximum: 600, description: 's' })),
        }),
      ),
    }),
  ),
});

export const InstallCertificate = Type.Object(
  {
    ...names,
    type: TextEnum(CERTIFICATE_TYPES),
    url: Type.Optional(
      Type.String({ minLength: 1, description: 'ftps or https; of a PFX or a PEM file' }),
    ),
    authenticationType: Type.Optional(TextEnum(['NONE', 'BASIC'])),
    options: Type.Optional(Type.Object({ username: OptionalText, password: OptionalText })),
    headers: Type.Optional(Type.Record(Type.String(), Type.String())),
    pfxFileName: OptionalText,
    filename: OptionalText,
    pfxContent: Type.Optional(Type.String({ description: 'base64' })),
    pfxPassword: OptionalText,
    verifyPeer: Type.Optional(Type.Boolean({ default: true })),
    verifyHost: Type.Optional(Type.Boolean({ default: true })),
    CACertificateFileLocation: OptionalText,
    CACertificateFileContent: OptionalText,
    installedCertificateType: Type.Optional(TextEnum(CERTIFICATE_TYPES)),
    installedCertificateName: Type.Optional(Name),
    publicKeyFileLocation: OptionalText,
    publicKeyFileContent: OptionalText,
    privateKeyFileLocation: OptionalText,
    privateKeyFileContent: OptionalText,
    timeoutInSec: Seconds('for the whole fetch (default 60)'),
    timeouts: Type.Optional(
      Type.Object({
        connection: Seconds('until the server answers (default 10)'),
        read: Seconds('without a byte (default 15)'),
      }),
    ),
    retry: Type.Optional(Retry),
  },
  {
    description:
      'From a url, from pfxContent, or from PEM files; with a url the other certificates are those of the fetch',
  },
);
export type InstallCertificate = Static<typeof InstallCertificate>;

export const RefreshCertificate = Type.Object(
  { ...names, type: TextEnum(CERTIFICATE_TYPES) },
  { description: 'Fetches again from where it came' },
);
export type RefreshCertificate = Static<typeof RefreshCertificate>;

export const DeleteCertificate = Type.Object(
  { ...names, type: TextEnum(CERTIFICATE_TYPES) },
  { description: 'Without the server certificate that was in use the one that the reader made is' },
);
export type DeleteCertificate = Static<typeof DeleteCertificate>;

export const KEY_TYPES = ['RSA-2048', 'RSA-3072', 'RSA-4096', 'EC-P256', 'EC-P384'] as const;
const SubjectText = Type.Optional(Type.String({ minLength: 1, maxLength: 64 }));

export const CreateCertificateRequest = Type.Object(
  {
    ...names,
    type: TextEnum(CERTIFICATE_TYPES),
    keyType: Type.Optional(TextEnum(KEY_TYPES, { default: 'RSA-2048' })),
    subject: Type.Optional(
      Type.Object({
        commonName: SubjectText,
        organization: SubjectText,
        organizationalUnit: SubjectText,
        locality: SubjectText,
        state: SubjectText,
        country: Type.Optional(
          Type.String({ pattern: '^[A-Z]{2}$', description: 'two capital letters' }),
        ),
      }),
    ),
    hosts: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 253 }), {
        maxItems: 50,
        description: 'DNS names and addresses (default for a server: those of the reader)',
      }),
    ),
  },
  { description: 'A new key, which stays on the reader, and the request to sign for it' },
);
export type CreateCertificateRequest = Static<typeof CreateCertificateRequest>;

export const CertificateSigningRequest = Type.Object(
  { csr: Type.String({ description: 'PEM (PKCS#10)' }) },
  { description: 'To be signed; the certificate is then installed under the same name and type' },
);
export type CertificateSigningRequest = Static<typeof CertificateSigningRequest>;
