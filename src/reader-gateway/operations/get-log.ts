import { LogRequest } from '../api/logs.js';
import type { FileAnswer } from './file-answer.js';
import type { Operation } from './operation.js';

export const getLog: Operation = {
  name: 'getLog',
  summary: 'A log: lines of JSON, the oldest first; syslog is an archive of all logs (.tar.gz)',
  method: 'GET',
  path: '/cloud/logs/{logType}',
  mqttCommand: 'get_logs_syslog',
  channel: 'management',
  requestSchema: LogRequest,
  responseSchema: undefined,
  fileTypes: ['application/x-ndjson', 'application/gzip'],
  async run({ logs }, request): Promise<FileAnswer> {
    const { logType = 'syslog' } = request as LogRequest;
    return logs.read(logType);
  },
};
