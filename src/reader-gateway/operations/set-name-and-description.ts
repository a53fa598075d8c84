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
    const { name, description: text } = request as NameAndDescription;
    await description.set(() => ({ name, description: text }));
  },
};
