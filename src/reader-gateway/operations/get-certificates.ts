import { CertificateList, type CertificateRecord } from '../api/certificates.js';
import { NoPayload } from '../api/empty.js';
import type { Operation } from './operation.js';

export const getCertificates: Operation = {
  name: 'getCertificates',
  summary: 'Installed certificates',
  method: 'GET',
  path: '/cloud/certificates',
  mqttCommand: 'get_certificates',
  channel: 'management',
  requestSchema: NoPayload,
  responseSchema: CertificateList,
  async run({ certificateStore }): Promise<CertificateRecord[]> {
    return certificateStore.list();
  },
};
