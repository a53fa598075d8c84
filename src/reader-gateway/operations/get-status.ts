import { NoPayload } from '../api/empty.js';
import { UpgradeStatus } from '../api/os-update.js';
import { Status } from '../api/status.js';
import { Accepted } from './accepted.js';
import type { Operation } from './operation.js';

export const getStatus: Operation = {
  name: 'getStatus',
  summary: 'Statistics of the reader; while an OS update runs, how far it is',
  method: 'GET',
  path: '/cloud/status',
  mqttCommand: 'get_status',
  channel: 'management',
  requestSchema: NoPayload,
  responseSchema: Status,
  acceptedSchema: UpgradeStatus,
  async run({ update, status }): Promise<Status | Accepted> {
    return update.status === undefined ? status.read() : new Accepted(update.status);
  },
};
