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
  async run({ radio, radioSettings }, request) {
    const { regions } = await radio.regions();
    await radioSettings.setRegion(chosenRegion(request as SetRegulatory, regions));
  },
};
