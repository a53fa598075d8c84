import { invalid } from '../../shared/errors.js';
import { UserAppCommand, UserAppResponse } from '../api/user-apps.js';
import { show } from '../api/validate.js';
import type { Operation } from './operation.js';

export const sendToUserApp: Operation = {
  name: 'sendToUserApp',
  summary: 'Hand a command to a running user application, and answer with its response',
  method: 'PUT',
  path: '/cloud/apps/{appname}/pass-through',
  mqttCommand: 'set_req_to_userapp',
  channel: 'management',
  requestSchema: UserAppCommand,
  responseSchema: UserAppResponse,
  moreErrors: [404, 429],
  async run({ apps }, request): Promise<UserAppResponse> {
    const { appname, userapp, command } = request as UserAppCommand;
    if (userapp !== appname) {
      const message = `${show(userapp)} is not the application that appname names: ${show(appname)}`;
      throw invalid([{ field: 'userapp', message }]);
    }
    return { response: await apps.send(appname, command) };
  },
};
