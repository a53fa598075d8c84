import { UserAppName } from '../api/user-apps.js';
import type { Operation } from './operation.js';

export const uninstallUserApp: Operation = {
  name: 'uninstallUserApp',
  summary: 'Stop a user application and remove it with all its files',
  method: 'PUT',
  path: '/cloud/apps/{appname}/uninstall',
  mqttCommand: 'set_uninstall_userapp',
  channel: 'management',
  requestSchema: UserAppName,
  responseSchema: undefined,
  moreErrors: [404],
  async run({ apps }, request) {
    await apps.uninstall((request as UserAppName).appname);
  },
};
