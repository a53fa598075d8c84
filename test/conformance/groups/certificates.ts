/** Certificates. */
import { Authority, writePem } from '../../gateway/certificates.js';
import { until } from '../../gateway/reader.js';
import type { Group, Provocation, Request } from '../operation-case.js';
import { SilentServer } from '../silent-server.js';

/** Fetches that may be under way at a time. */
const FETCHES = 4;

export const certificates: Group = async ({ t, reader }) => {
  const ca = writePem(reader.stateDir, 'ca', new Authority()).cert;
  const named: Request = { certname: 'one', type: 'app' };
  const install = { ...named, CACertificateFileLocation: ca };
  const installed = () =>
    reader.call('PUT', 'certificates/one', { type: 'app', CACertificateFileLocation: ca });
  const silent = await SilentServer.start(t);
  const body = { type: 'app', url: `https://127.0.0.1:${silent.port}/a.pfx`, timeoutInSec: 60 };
  const busy = async () => {
    const names = Array.from({ length: FETCHES }, (_, i) => `slow${i}`);
    silent.hold(names.map((name) => reader.call('PUT', `certificates/${name}`, body)));
    await until('they are under way', () => silent.connections === FETCHES);
  };
  const tooMany: Provocation = { code: 11, before: busy, after: () => silent.release() };
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
