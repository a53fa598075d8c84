import { DataConnection } from '../api/connection.js';
import { ConnectionTest } from '../api/connection-test.js';
import { checkRequest } from '../connection-test/check-request.js';
import { testConnection as test } from '../connection-test/test-connection.js';
import { ENDPOINT_PATHS } from '../state/endpoint-paths.js';
import type { Operation } from './operation.js';

export const testConnection: Operation = {
  name: 'testConnection',
  summary: 'Try a connection: DNS, TCP, TLS and login apart; changes nothing and sends no event',
  method: 'POST',
  path: '/cloud/testConnection',
  mqttCommand: 'test_connection',
  channel: 'management',
  requestSchema: DataConnection,
  responseSchema: ConnectionTest,
  moreErrors: [429],
  checksItself: true,
  async run({ config, certificates, endpoints, reach }, request): Promise<ConnectionTest> {
    const configured = ENDPOINT_PATHS.flatMap((path) => config.connections(path));
    const connection = checkRequest(request, configured);
    return test(connection, { certificates, configured, endpoints, reach });
  },
};
