import { LogConfig } from '../api/logs.js';
import type { Operation } from './operation.js';

export const setLogConfig: Operation = {
  name: 'setLogConfig',
  summary: 'Change what is logged, at once and for all restarts to come',
  method: 'PUT',
  path: '/cloud/logs',
  mqttCommand: 'set_logs',
  channel: 'management',
  requestSchema: LogConfig,
  responseSchema: undefined,
  async run({ logs }, request) {
    await logs.change(request as LogConfig);
  },
};
