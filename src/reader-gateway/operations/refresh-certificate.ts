import { RefreshCertificate } from '../api/certificates.js';
import { certificateIdOf, NAME_FIELDS } from './certificate-id.js';
import type { Operation } from './operation.js';

const FIELDS: readonly string[] = ['type', ...NAME_FIELDS];

export const refreshCertificate: Operation = {
  name: 'refreshCertificate',
  summary: 'Fetch a certificate again from where it came',
  method: 'PUT',
  path: '/cloud/certificates/{certname}',
  mqttCommand: 'set_refresh_certificate',
  channel: 'management',
  requestSchema: RefreshCertificate,
  responseSchema: undefined,
  moreErrors: [404, 429],
  takes: (request) => Object.keys(request).every((field) => FIELDS.includes(field)),
  async run({ certificateStore, applyCertificates }, request, afterAnswer) {
    await certificateStore.refresh(certificateIdOf(request as RefreshCertificate));
    afterAnswer(applyCertificates);
  },
};
