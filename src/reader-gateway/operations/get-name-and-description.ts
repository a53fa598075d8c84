import { NoPayload } from '../api/empty.js';
import { NameAndDescription } from '../api/name-and-description.js';
import type { Operation } from './operation.js';

export const getNameAndDescription: Operation = {
  name: 'getNameAndDescription',
  summary: 'What people call the reader; its host name until it is told',
  method: 'GET',
  path: '/cloud/nameAndDescription',
  mqttCommand: 'get_name_and_description',
  channel: 'management',
  requestSchema: NoPayload,
  responseSchema: NameAndDescription,
  async run({ description, machine }): Promise<NameAndDescription> {
    return description.present ?? { name: machine.hostName, description: '' };
  },
};
