import { UserAppName } from '../api/user-apps.js';
import type { Operation } from './operation.js';

export const startUserApp: Operation = {
  name: 'startUserApp',
  summary: 'Start a user application; one that runs goes on',
  method: 'PUT',
  path: '/cloud/apps/{appname}/start',
  mqttCommand: 'set_start_userapp',
  channel: 'management',
  requestSchema: UserAppName,
  responseSchema: undefined,
  moreErrors: [404],
  async run({ apps }, request) {
    await apps.start((request as UserAppName).appname);
  },
};
