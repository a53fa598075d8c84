import { ReaderSettings } from '../api/reader-settings.js';
import type { Operation } from './operation.js';

export const importConfig: Operation = {
  name: 'importConfig',
  summary: 'Set all that an export holds, whole or not at all',
  method: 'PUT',
  path: '/cloud/config/import',
  mqttCommand: 'import_config',
  channel: 'management',
  requestSchema: ReaderSettings,
  responseSchema: undefined,
  checksItself: true,
  async run({ settings, config, gpioLed, applyConnections }, request, afterAnswer) {
    await settings.import(request);
    gpioLed.configure(config.stored['GPIO-LED'] ?? {});
    // The answer may have to travel over a connection that this import closes.
    afterAnswer(applyConnections);
  },
};
