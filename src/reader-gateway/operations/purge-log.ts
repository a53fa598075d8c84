import { LogRequest } from '../api/logs.js';
import type { Operation } from './operation.js';

export const purgeLog: Operation = {
  name: 'purgeLog',
  summary: 'Remove what a log holds; of syslog: all logs',
  method: 'DELETE',
  path: '/cloud/logs/{logType}',
  mqttCommand: 'del_logs_syslog',
  channel: 'management',
  requestSchema: LogRequest,
  responseSchema: undefined,
  async run({ logs }, request) {
    const { logType = 'syslog' } = request as LogRequest;
    await logs.purge(logType);
  },
};
