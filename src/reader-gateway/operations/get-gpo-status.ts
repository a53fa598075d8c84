import { NoPayload } from '../api/empty.js';
import { GpoStatus } from '../api/gpio.js';
import { lineLevels } from './line-levels.js';
import type { Operation } from './operation.js';

export const getGpoStatus: Operation = {
  name: 'getGpoStatus',
  summary: 'The levels of all outputs',
  method: 'GET',
  path: '/cloud/gpo',
  mqttCommand: 'get_gpo_status',
  channel: 'management',
  requestSchema: NoPayload,
  responseSchema: GpoStatus,
  async run({ lines }): Promise<GpoStatus> {
    return lineLevels(lines, 'gpos');
  },
};
