import { UserAppInstall } from '../api/user-apps.js';
import type { Operation } from './operation.js';

export const installUserApp: Operation = {
  name: 'installUserApp',
  summary: 'Fetch a package, check it and install it; an older version runs until it is whole',
  method: 'PUT',
  path: '/cloud/apps/install',
  mqttCommand: 'set_install_userapp',
  channel: 'management',
  requestSchema: UserAppInstall,
  responseSchema: undefined,
  moreErrors: [429],
  async run({ apps }, request) {
    await apps.install(request as UserAppInstall);
  },
};
