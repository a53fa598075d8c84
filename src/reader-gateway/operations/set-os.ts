import { OsUpdate } from '../api/os-update.js';
import type { Operation } from './operation.js';

export const setOs: Operation = {
  name: 'setOs',
  summary: 'Update the OS; the statistics show how far it is, and the reader reboots',
  method: 'PUT',
  path: '/cloud/os',
  mqttCommand: 'set_os',
  channel: 'management',
  requestSchema: OsUpdate,
  responseSchema: undefined,
  checksItself: true,
  async run({ update }, request, afterAnswer) {
    afterAnswer(await update.begin(request));
  },
};
