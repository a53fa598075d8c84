import { NoPayload } from '../api/empty.js';
import { SupportedRegions } from '../api/region.js';
import type { Operation } from './operation.js';

export const getSupportedRegions: Operation = {
  name: 'getSupportedRegionList',
  summary: 'Regions that the radio can be set to; the present one where it cannot',
  method: 'GET',
  path: '/cloud/supportedRegionList',
  mqttCommand: 'get_supported_region_list',
  channel: 'management',
  requestSchema: NoPayload,
  responseSchema: SupportedRegions,
  async run({ radio }): Promise<SupportedRegions> {
    const { regions, region } = await radio.regions();
    const names = regions.map(({ name }) => name);
    return { SupportedRegions: names.length > 0 || region === '' ? names : [region] };
  },
};
