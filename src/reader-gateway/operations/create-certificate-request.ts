import { CertificateSigningRequest, CreateCertificateRequest } from '../api/certificates.js';
import { certificateIdOf } from './certificate-id.js';
import type { Operation } from './operation.js';

/** Beyond the interface: a private key that never travels. */
export const createCertificateRequest: Operation = {
  name: 'createCertificateRequest',
  summary: 'Make a key that stays on the reader, and the request (CSR) to sign for it',
  method: 'POST',
  path: '/cloud/certificates/{certname}/csr',
  mqttCommand: 'create_certificate_request',
  channel: 'management',
  requestSchema: CreateCertificateRequest,
  responseSchema: CertificateSigningRequest,
  async run({ certificateStore }, request): Promise<CertificateSigningRequest> {
    const wish = request as CreateCertificateRequest;
    return { csr: await certificateStore.createRequest(certificateIdOf(wish), wish) };
  },
};
