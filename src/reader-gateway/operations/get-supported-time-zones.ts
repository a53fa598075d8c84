import { NoPayload } from '../api/empty.js';
import { SupportedTimeZones } from '../api/time.js';
import { allZones } from '../time-zones/time-zones.js';
import type { Operation } from './operation.js';

export const getSupportedTimeZones: Operation = {
  name: 'getSupportedTimeZoneList',
  summary: 'Names of time zones and places that can be set',
  method: 'GET',
  path: '/cloud/supportedTimeZoneList',
  mqttCommand: 'get_supported_time_zone_list',
  channel: 'management',
  requestSchema: NoPayload,
  responseSchema: SupportedTimeZones,
  async run(): Promise<SupportedTimeZones> {
    return { SupportedTimeZones: allZones() };
  },
};
