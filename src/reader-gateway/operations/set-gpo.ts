import { SetGpo } from '../api/gpio.js';
import type { Operation } from './operation.js';

export const setGpo: Operation = {
  name: 'setGpo',
  summary: 'Set the level of an output',
  method: 'PUT',
  path: '/cloud/gpo',
  mqttCommand: 'set_gpo',
  channel: 'management',
  requestSchema: SetGpo,
  responseSchema: undefined,
  async run({ lines }, request) {
    const { port, state } = request as SetGpo;
    await lines.setGpo(port, state ? 'HIGH' : 'LOW');
  },
};
