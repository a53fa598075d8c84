import { NoPayload } from '../api/empty.js';
import type { Operation } from './operation.js';

export const stop: Operation = {
  name: 'stop',
  summary:
    'Stop tag reads, no matter who started them; one that is away stops when it is back, and code 4 says so',
  method: 'PUT',
  path: '/cloud/stop',
  mqttCommand: 'stop',
  channel: 'control',
  requestSchema: NoPayload,
  responseSchema: undefined,
  async run({ reading }) {
    await reading.stop();
  },
};
