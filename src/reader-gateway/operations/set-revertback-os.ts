import { NoPayload } from '../api/empty.js';
import type { Operation } from './operation.js';

export const setRevertbackOs: Operation = {
  name: 'setRevertbackOs',
  summary: 'Go back to the version on the secondary partition; the reader reboots',
  method: 'PUT',
  path: '/cloud/revertbackOS',
  mqttCommand: 'set_revertback_os',
  channel: 'management',
  requestSchema: NoPayload,
  responseSchema: undefined,
  moreErrors: [404],
  async run({ update }, _request, afterAnswer) {
    afterAnswer(await update.revert());
  },
};
