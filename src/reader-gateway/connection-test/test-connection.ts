/** Tests a connection step by step. Nothing is changed, and no event is sent. */
import { isIP } from 'node:net';
import { SingulateError } from '../../shared/errors.js';
import { type Connection, isMqtt } from '../api/connection.js';
import type { ConnectionTest, StepName } from '../api/connection-test.js';
import type { EndpointStatus } from '../endpoint-status.js';
import type { Reach } from '../fetch/reach.js';
import { brokerAddress } from '../mqtt/broker-address.js';
import { brokerTls } from '../mqtt/broker-link.js';
import type { Certificates } from '../tls/certificates.js';
import type { ClientTlsOptions } from '../tls/client-tls.js';
import { httpTls } from '../tls/http-tls.js';
import { findAddresses } from './dns.js';
import { httpLogin } from './http-login.js';
import { checkPort, checkServerCertificate } from './listening.js';
import { mqttLogin } from './mqtt-login.js';
import { runSteps, StepFailure, type StepWork } from './steps.js';
import { findOpen, hostAndPort } from './tcp.js';
import { handshake } from './tls.js';

export interface Surroundings {
  certificates: Certificates;
  /** The connections of this reader. */
  configured: readonly Connection[];
  endpoints(): EndpointStatus[];
  /** Where a test may go to. */
  reach: Reach;
}

/** Each holds on to a few sockets, and may wait for long. */
const MAX_AT_ONCE = 2;
let underWay = 0;

/** @throws TOO_MANY */
export async function testConnection(
  connection: Connection,
  around: Surroundings,
): Promise<ConnectionTest> {
  if (underWay >= MAX_AT_ONCE) {
    throw new SingulateError('TOO_MANY', `${MAX_AT_ONCE} connections are being tested already`);
  }
  underWay++;
  try {
    return await runSteps(stepsOf(connection, around));
  } finally {
    underWay--;
  }
}

type Steps = Record<StepName, StepWork>;

function stepsOf(connection: Connection, around: Surroundings): Steps {
  const { certificates, configured, reach } = around;
  if (isMqtt(connection)) {
    const { options } = connection;
    const { host = '', port = 0, secure = false } = brokerAddress(options) ?? {};
    return clientSteps({
      host,
      port,
      tls: secure ? () => brokerTls(options, certificates) : undefined,
      auth: (signal) => mqttLogin(options, { certificates, configured, reach }, signal),
      reach,
    });
  }
  switch (connection.type) {
    case 'httpPost': {
      const { options } = connection;
      const url = new URL(options.URL);
      const secure = url.protocol === 'https:';
      return clientSteps({
        host: url.hostname.replace(/^\[|\]$/g, ''),
        port: url.port === '' ? (secure ? 443 : 80) : Number(url.port),
        tls: secure ? () => httpTls(options, certificates) : undefined,
        auth: (signal) => httpLogin(options, certificates, reach, signal),
        reach,
      });
    }
    case 'tcpip-server': {
      const { options } = connection;
      const port = Number(options.tcpipport);
      return {
        dns: 'the reader listens itself',
        tcp: () => checkPort(port, () => listensOn(port, around)),
        tls: options.enableSecurity
          ? () => checkServerCertificate(options, certificates)
          : 'enableSecurity is off',
        auth: 'clients need no login',
      };
    }
    case 'WEBSOCKET': {
      const why = 'clients come to /ws of the REST interface';
      return { dns: why, tcp: why, tls: why, auth: why };
    }
  }
}

interface Server {
  host: string;
  port: number;
  /** undefined: the connection is without TLS. */
  tls: (() => Promise<ClientTlsOptions>) | undefined;
  auth: Exclude<StepWork, string>;
  reach: Reach;
}

function clientSteps({ host, port, tls, auth, reach }: Server): Steps {
  const literal = isIP(host) !== 0;
  let addresses = literal ? [host] : [];
  let address = host;
  return {
    dns: literal
      ? `${host} is an address`
      : async () => {
          addresses = await findAddresses(host, reach);
          return addresses.join(', ');
        },
    tcp: async (signal) => {
      address = await findOpen(addresses, port, signal, reach);
      return hostAndPort(address, port);
    },
    tls:
      tls === undefined
        ? 'the connection is without TLS'
        : async (signal) => handshake({ address, port, host }, await filesOf(tls), signal),
    auth,
  };
}

async function filesOf(tls: () => Promise<ClientTlsOptions>): Promise<ClientTlsOptions> {
  try {
    return await tls();
  } catch (error) {
    throw new StepFailure(`a certificate cannot be loaded: ${(error as Error).message}`);
  }
}

/** A tcpip-server of the configuration has the port, and not somebody before it. */
function listensOn(port: number, { configured, endpoints }: Surroundings): boolean {
  const own = configured.filter(
    ({ type, options }) => type === 'tcpip-server' && Number(options.tcpipport) === port,
  );
  const failed = endpoints().filter(({ error }) => error.includes('EADDRINUSE'));
  return own.some(({ type, name }) => {
    return !failed.some((endpoint) => endpoint.type === type && endpoint.name === name);
  });
}
