import { GetStandards, SupportedStandards } from '../api/region.js';
import { findRegion, standardName } from '../system/regions.js';
import type { Operation } from './operation.js';

export const getSupportedStandards: Operation = {
  name: 'getSupportedStandardList',
  summary: 'Standards and channels of a region',
  method: 'GET',
  path: '/cloud/supportedStandardList',
  mqttCommand: 'get_supported_region_standard',
  channel: 'management',
  requestSchema: GetStandards,
  responseSchema: SupportedStandards,
  async run({ radio }, request): Promise<SupportedStandards> {
    const { regions } = await radio.regions();
    const found = findRegion((request as GetStandards).region, regions);
    return {
      SupportedStandards: [
        {
          StandardName: standardName(found),
          // What the rules ask for cannot be switched off, nor on.
          isLBTConfigurable: 'false',
          channelData: found.channelsKhz,
          isHoppingConfigurable: 'false',
        },
      ],
    };
  },
};
