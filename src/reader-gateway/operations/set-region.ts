import { SetRegulatory } from '../api/region.js';
import { chosenRegion } from '../system/regions.js';
import type { Operation } from './operation.js';

export const setRegion: Operation = {
  name: 'setRegion',
  summary: 'Set the region of the radio while it does not read',
  method: 'PUT',
  path: '/cloud/region',
  mqttCommand: 'set_region',
  channel: 'management',
  requestSchema: SetRegulatory,
  responseSchema: undefined,
  async run({ radio, reading }, request) {
    const { regions } = await radio.regions();
    await reading.setRegion(chosenRegion(request as SetRegulatory, regions));
  },
};
