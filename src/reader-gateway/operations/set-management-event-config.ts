import { ManagementEventConfig } from '../api/management-events.js';
import { changePart, changeReaderConfig } from './change-config.js';
import type { Operation } from './operation.js';

export const setManagementEventConfig: Operation = {
  name: 'setManagementEventConfig',
  summary: 'Set which management events are sent: the same part of the configuration as set_config',
  method: 'PUT',
  path: '/cloud/managementEventConfig',
  mqttCommand: 'set_management_event_config',
  channel: 'management',
  requestSchema: ManagementEventConfig,
  responseSchema: undefined,
  async run(context, managementEventConfig, afterAnswer) {
    await changePart('READER-GATEWAY.managementEventConfig', () =>
      changeReaderConfig(context, { 'READER-GATEWAY': { managementEventConfig } }),
    );
    afterAnswer(context.applyConnections);
  },
};
