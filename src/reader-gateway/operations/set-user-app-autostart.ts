import { UserAppAutostart } from '../api/user-apps.js';
import type { Operation } from './operation.js';

export const setUserAppAutostart: Operation = {
  name: 'setUserAppAutostart',
  summary: 'Whether a user application starts with the reader',
  method: 'PUT',
  path: '/cloud/apps/{appname}/autostart',
  mqttCommand: 'set_autostart_userapp',
  channel: 'management',
  requestSchema: UserAppAutostart,
  responseSchema: undefined,
  moreErrors: [404],
  async run({ apps }, request) {
    const { appname, autostart = true } = request as UserAppAutostart;
    await apps.setAutostart(appname, autostart);
  },
};
