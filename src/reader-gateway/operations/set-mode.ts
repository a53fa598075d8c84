import { OperatingMode } from '../api/mode.js';
import type { Operation } from './operation.js';

export const setMode: Operation = {
  name: 'setMode',
  summary:
    'Set the operating mode; a reader that reads goes on with it at once, or the mode is refused; one that does not reads with it from the next start on',
  method: 'PUT',
  path: '/cloud/mode',
  mqttCommand: 'set_mode',
  channel: 'control',
  requestSchema: OperatingMode,
  responseSchema: undefined,
  checksItself: true,
  async run({ radioSettings }, request) {
    await radioSettings.setMode(request);
  },
};
