import { NoPayload } from '../api/empty.js';
import { LogConfig } from '../api/logs.js';
import type { Operation } from './operation.js';

export const getLogConfig: Operation = {
  name: 'getLogConfig',
  summary: 'What is logged: the level of each component, and whether packets of the air are',
  method: 'GET',
  path: '/cloud/logs',
  mqttCommand: 'get_logs',
  channel: 'management',
  requestSchema: NoPayload,
  responseSchema: LogConfig,
  async run({ logs }): Promise<LogConfig> {
    return logs.config();
  },
};
