import { ReaderConfig } from '../api/config.js';
import { NoPayload } from '../api/empty.js';
import { maskSecrets } from '../state/secrets.js';
import type { Operation } from './operation.js';

export const getConfig: Operation = {
  name: 'getConfig',
  summary: 'The effective reader configuration; passwords are masked',
  method: 'GET',
  path: '/cloud/config',
  mqttCommand: 'get_config',
  channel: 'management',
  requestSchema: NoPayload,
  responseSchema: ReaderConfig,
  async run({ config }): Promise<ReaderConfig> {
    return maskSecrets(config.effective());
  },
};
