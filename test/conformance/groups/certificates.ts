/** Certificates. */
import { readFileSync } from 'node:fs';
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
  const put = (certname: string, body: object) =>
    reader.call('PUT', `certificates/${certname}`, { type: 'app', ...body });
  const installed = () => put('one', { CACertificateFileLocation: ca });
  const setConnections = (...connections: object[]) =>
    reader.call('PUT', 'cloudConfig', { endpointConfig: { data: { event: { connections } } } });
  const security = { installedCertificateName: 'one', installedCertificateType: 'app' };
  const options = { URL: 'https://127.0.0.1:9/', security };
  const silent = await SilentServer.start(t);
  const slow = { url: `https://127.0.0.1:${silent.port}/a.pfx`, timeoutInSec: 60 };
  const busy = async () => {
    const names = Array.from({ length: FETCHES }, (_, i) => `slow${i}`);
    silent.hold(names.map((name) => put(name, slow)));
    await until('they are under way', () => silent.connections === FETCHES);
  };
  const tooMany: Provocation = { code: 11, before: busy, after: () => silent.release() };
  return {
    getCertificates: { success: {} },
    installCertificate: {
      success: install,
      others: {
        429: tooMany,
        // Nobody is there.
        500: {
          code: 4,
          request: {
            ...named,
            url: 'https://127.0.0.1:9/a.pfx',
            retry: { policy: { retries: 0 } },
          },
        },
      },
    },
    refreshCertificate: {
      success: named,
      before: installed,
      others: {
        400: {
          code: 3,
          request: { certname: 'handed', type: 'app' },
          before: () => put('handed', { CACertificateFileContent: readFileSync(ca, 'utf8') }),
        },
        404: { code: 5, request: { certname: 'nothing', type: 'app' } },
        429: { ...tooMany, before: () => installed().then(busy) },
      },
    },
    deleteCertificate: {
      success: named,
      before: installed,
      others: {
        400: {
          code: 3,
          before: async () => {
            await installed();
            await setConnections({ type: 'httpPost', name: 'user of it', options });
          },
          after: () => setConnections(),
        },
        404: { code: 5, request: { certname: 'nothing', type: 'app' } },
      },
    },
    createCertificateRequest: { success: { ...named, keyType: 'EC-P256' } },
  };
};
