/** Certificates. */
import { createServer } from 'node:net';
import { Authority, writePem } from '../../gateway/certificates.js';
import { listen } from '../../gateway/connection-tests.js';
import type { Group, Provocation, Request } from '../operation-case.js';

/** Fetches that may be under way at a time. */
const FETCHES = 4;

export const certificates: Group = async ({ t, reader }) => {
  const ca = writePem(reader.stateDir, 'ca', new Authority()).cert;
  const named: Request = { certname: 'one', type: 'app' };
  const install = { ...named, CACertificateFileLocation: ca };
  const installed = () =>
    reader.call('PUT', 'certificates/one', { type: 'app', CACertificateFileLocation: ca });
  const server = createServer();
  const waiting = await listen(t, server);
  const url = `https://127.0.0.1:${waiting}/a.pfx`;
  /** A server that takes connections and says nothing. */
  const busy = async () => {
    const body = { type: 'app', url, timeoutInSec: 600 };
    for (let i = 0; i < FETCHES; i++) void reader.call('PUT', `certificates/slow${i}`, body);
  };
  const tooMany: Provocation = { code: 11, before: busy };
  return {
    getCertificates: { success: {} },
    installCertificate: { success: install, others: { 429: tooMany } },
    refreshCertificate: {
      success: named,
      before: installed,
      others: {
        404: { code: 5, request: { certname: 'nothing', type: 'app' } },
        429: { ...tooMany, before: () => installed().then(busy) },
      },
    },
    deleteCertificate: {
      success: named,
      before: installed,
      others: { 404: { code: 5, request: { certname: 'nothing', type: 'app' } } },
    },
    createCertificateRequest: { success: { ...named, keyType: 'EC-P256' } },
  };
};
