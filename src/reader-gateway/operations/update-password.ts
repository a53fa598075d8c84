import { UpdatePassword } from '../api/password.js';
import type { Operation } from './operation.js';

export const updatePassword: Operation = {
  name: 'updatePassword',
  summary: 'Change the password; every token of before is worth nothing',
  method: 'PUT',
  path: '/cloud/updatePassword',
  mqttCommand: 'set_update_password',
  channel: 'management',
  requestSchema: UpdatePassword,
  responseSchema: undefined,
  moreErrors: [429],
  async run({ login }, request, _afterAnswer, client) {
    await login.changePassword(request as UpdatePassword, client);
  },
};
