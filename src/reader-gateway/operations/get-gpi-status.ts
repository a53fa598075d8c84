import { NoPayload } from '../api/empty.js';
import { GpiStatus } from '../api/gpio.js';
import { lineLevels } from './line-levels.js';
import type { Operation } from './operation.js';

export const getGpiStatus: Operation = {
  name: 'getGpiStatus',
  summary: 'The levels of all inputs',
  method: 'GET',
  path: '/cloud/gpi',
  mqttCommand: 'get_gpi_status',
  channel: 'management',
  requestSchema: NoPayload,
  responseSchema: GpiStatus,
  async run({ lines }): Promise<GpiStatus> {
    return lineLevels(lines, 'gpis');
  },
};
