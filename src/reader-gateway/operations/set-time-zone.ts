import { useTimeZone } from '../../platform/clock.js';
import { invalid } from '../../shared/errors.js';
import { SetTimeZone } from '../api/time.js';
import { show } from '../api/validate.js';
import { zoneOfName } from '../time-zones/time-zones.js';
import type { Operation } from './operation.js';

export const setTimeZone: Operation = {
  name: 'setTimeZone',
  summary: 'Set the time zone by its display name, or by the name of a place',
  method: 'PUT',
  path: '/cloud/timeZone',
  mqttCommand: 'set_time_zone',
  channel: 'management',
  requestSchema: SetTimeZone,
  responseSchema: undefined,
  unprocessable: true,
  async run({ platform }, request) {
    const { timeZone } = request as SetTimeZone;
    const zone = zoneOfName(timeZone);
    if (zone === undefined) {
      const message = `${show(timeZone)} is not one of the names of GET /cloud/supportedTimeZoneList (get_supported_time_zone_list)`;
      throw invalid([{ field: 'timeZone', message }]);
    }
    await platform.timeZone.set(zone);
    useTimeZone(zone);
  },
};
