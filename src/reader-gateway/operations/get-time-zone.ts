import { NoPayload } from '../api/empty.js';
import { TimeZone } from '../api/time.js';
import { nameOfZone } from '../time-zones/time-zones.js';
import type { Operation } from './operation.js';

export const getTimeZone: Operation = {
  name: 'getTimeZone',
  summary: 'The time zone by its display name',
  method: 'GET',
  path: '/cloud/timeZone',
  mqttCommand: 'get_time_zone',
  channel: 'management',
  requestSchema: NoPayload,
  responseSchema: TimeZone,
  async run({ platform }): Promise<TimeZone> {
    return { timeZone: nameOfZone(await platform.timeZone.read()) };
  },
};
