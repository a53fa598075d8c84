import { CloudConfig } from '../api/cloud-config.js';
import type { EndpointConfig } from '../api/config.js';
import { changePart } from './change-config.js';
import type { Operation } from './operation.js';

export const importCloudConfig: Operation = {
  name: 'importCloudConfig',
  summary: 'Set the connections of the given paths, whole or not at all',
  method: 'PUT',
  path: '/cloud/cloudConfig',
  mqttCommand: 'set_importCloudConfig',
  channel: 'management',
  requestSchema: CloudConfig,
  responseSchema: undefined,
  async run({ config, applyConnections }, request, afterAnswer) {
    const { endpointConfig } = request as { endpointConfig: EndpointConfig };
    await changePart('READER-GATEWAY', () =>
      config.change({ 'READER-GATEWAY': { endpointConfig } }),
    );
    // The answer may have to travel over a connection that this change closes.
    afterAnswer(applyConnections);
  },
};
