import { invalid, isSingulateError } from '../../shared/errors.js';
import { CloudConfig } from '../api/cloud-config.js';
import type { EndpointConfig } from '../api/config.js';
import type { Operation } from './operation.js';

/** Of paths in a whole configuration; the body of this operation begins below. */
const ABOVE = /^READER-GATEWAY\./;

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
    await config.change({ 'READER-GATEWAY': { endpointConfig } }).catch((error) => {
      if (!isSingulateError(error, 'INVALID')) throw error;
      const seen = error.violations.map(({ field, message }) => {
        return { field: field.replace(ABOVE, ''), message };
      });
      throw invalid(seen);
    });
    // The answer may have to travel over a connection that this change closes.
    afterAnswer(applyConnections);
  },
};
