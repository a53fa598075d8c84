import { InstallCertificate } from '../api/certificates.js';
import { certificateIdOf } from './certificate-id.js';
import type { Operation } from './operation.js';

export const installCertificate: Operation = {
  name: 'installCertificate',
  summary: 'Install a certificate from a url or from the contents given, or replace it',
  method: 'PUT',
  path: '/cloud/certificates/{certname}',
  mqttCommand: 'set_update_certificate',
  channel: 'management',
  requestSchema: InstallCertificate,
  responseSchema: undefined,
  moreErrors: [429],
  async run({ certificateStore, applyCertificates }, request, afterAnswer) {
    const wanted = request as InstallCertificate;
    await certificateStore.install(certificateIdOf(wanted), wanted);
    // The answer may have to travel over a connection that uses it.
    afterAnswer(applyCertificates);
  },
};
