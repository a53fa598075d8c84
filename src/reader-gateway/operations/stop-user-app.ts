import { UserAppName } from '../api/user-apps.js';
import type { Operation } from './operation.js';

export const stopUserApp: Operation = {
  name: 'stopUserApp',
  summary: 'Stop a user application',
  method: 'PUT',
  path: '/cloud/apps/{appname}/stop',
  mqttCommand: 'set_stop_userapp',
  channel: 'management',
  requestSchema: UserAppName,
  responseSchema: undefined,
  moreErrors: [404],
  async run({ apps }, request) {
    await apps.stop((request as UserAppName).appname);
  },
};
