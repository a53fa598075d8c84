import { Start } from '../api/start.js';
import type { Operation } from './operation.js';

export const start: Operation = {
  name: 'start',
  summary: 'Start tag reads with the present mode',
  method: 'PUT',
  path: '/cloud/start',
  mqttCommand: 'start',
  channel: 'control',
  requestSchema: Start,
  responseSchema: undefined,
  async run({ reading }, request) {
    const { doNotPersistState = true } = request as Start;
    await reading.start(!doNotPersistState);
  },
};
