import { NoPayload } from '../api/empty.js';
import { ReaderSettings } from '../api/reader-settings.js';
import type { Operation } from './operation.js';

export const exportConfig: Operation = {
  name: 'exportConfig',
  summary: 'All that was set on this reader, for an import; secrets are masked',
  method: 'GET',
  path: '/cloud/config/export',
  mqttCommand: 'export_config',
  channel: 'management',
  requestSchema: NoPayload,
  responseSchema: ReaderSettings,
  async run({ settings }): Promise<ReaderSettings> {
    return settings.export();
  },
};
