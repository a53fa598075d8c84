import { NameAndDescription } from '../api/name-and-description.js';
import type { Operation } from './operation.js';

export const setNameAndDescription: Operation = {
  name: 'setNameAndDescription',
  summary: 'Set what people call the reader',
  method: 'PUT',
  path: '/cloud/nameAndDescription',
  mqttCommand: 'set_name_and_description',
  channel: 'management',
  requestSchema: NameAndDescription,
  responseSchema: undefined,
  unprocessable: true,
  async run({ description }, request) {
    await description.save(request as NameAndDescription);
  },
};
