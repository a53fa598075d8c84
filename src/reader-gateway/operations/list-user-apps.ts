import { NoPayload } from '../api/empty.js';
import { type UserApp, UserApps } from '../api/user-apps.js';
import type { Operation } from './operation.js';

export const listUserApps: Operation = {
  name: 'listUserApps',
  summary: 'The installed user applications',
  method: 'GET',
  path: '/cloud/apps',
  mqttCommand: 'get_userapps',
  channel: 'management',
  requestSchema: NoPayload,
  responseSchema: UserApps,
  async run({ apps }): Promise<UserApp[]> {
    return apps.list();
  },
};
