import { SingulateError } from '../../shared/errors.js';
import { SendWaiting } from '../api/gateway-data.js';
import type { Operation } from './operation.js';

export const setDataToRg: Operation = {
  name: 'setDataToRG',
  summary: 'Send at once the tag events that wait for a batch to be full or due',
  method: 'PUT',
  path: '/cloud/setdataToRG',
  mqttCommand: 'set_data_to_rg',
  mqttAliases: ['set_dataToRG'],
  channel: 'management',
  requestSchema: SendWaiting,
  responseSchema: undefined,
  async run({ sendWaiting }) {
    if (sendWaiting() > 0) return;
    throw new SingulateError(
      'STATE',
      'there is nobody to send to: READER-GATEWAY.endpointConfig.data.event.connections is empty',
    );
  },
};
