import { NoPayload } from '../api/empty.js';
import { ManagementEventConfig } from '../api/management-events.js';
import { effectiveEvents } from '../management/settings.js';
import type { Operation } from './operation.js';

export const getManagementEventConfig: Operation = {
  name: 'getManagementEventConfig',
  summary: 'Which management events are sent, defaults included',
  method: 'GET',
  path: '/cloud/managementEventConfig',
  mqttCommand: 'get_management_event_config',
  channel: 'management',
  requestSchema: NoPayload,
  responseSchema: ManagementEventConfig,
  async run({ config }): Promise<ManagementEventConfig> {
    return effectiveEvents(config.stored['READER-GATEWAY']?.managementEventConfig);
  },
};
