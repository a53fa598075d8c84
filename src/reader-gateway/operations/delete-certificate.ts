import { SingulateError } from '../../shared/errors.js';
import { DeleteCertificate } from '../api/certificates.js';
import { connectionsThatName } from '../state/installed-certificates.js';
import { certificateIdOf } from './certificate-id.js';
import type { Operation } from './operation.js';

export const deleteCertificate: Operation = {
  name: 'deleteCertificate',
  summary: 'Delete a certificate that no connection names',
  method: 'DELETE',
  path: '/cloud/certificates/{certname}',
  mqttCommand: 'del_certificate',
  channel: 'management',
  requestSchema: DeleteCertificate,
  responseSchema: undefined,
  moreErrors: [404],
  async run({ certificateStore, config, applyCertificates }, request, afterAnswer) {
    const id = certificateIdOf(request as DeleteCertificate);
    const users = connectionsThatName(config, id);
    if (users.length > 0) {
      // It may be the one connection by which the reader can still be reached.
      const text = `the ${id.type} certificate "${id.name}" is used by the connection ${users.join(', ')}`;
      throw new SingulateError('STATE', text);
    }
    await certificateStore.remove(id);
    // REST and endpoints may have served with it, this answer as well.
    if (id.type === 'server') afterAnswer(applyCertificates);
  },
};
