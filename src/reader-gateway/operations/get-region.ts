import { NoPayload } from '../api/empty.js';
import { Regulatory } from '../api/region.js';
import { powerLimits } from '../mode/transmit-power.js';
import { modelOf } from '../reader-model/find-model.js';
import { standardName } from '../system/regions.js';
import type { Operation } from './operation.js';

export const getRegion: Operation = {
  name: 'getRegion',
  summary: 'The region of the radio: channels in kHz, powers in tenths of a dBm',
  method: 'GET',
  path: '/cloud/region',
  mqttCommand: 'get_region',
  channel: 'management',
  requestSchema: NoPayload,
  responseSchema: Regulatory,
  async run({ radio }): Promise<Regulatory> {
    const [{ regions, region, channelsKhz }, capabilities] = await Promise.all([
      radio.regions(),
      radio.capabilities(),
    ]);
    const found = regions.find(({ name }) => name === region);
    const { minDbm, maxDbm } = powerLimits(capabilities, modelOf(capabilities));
    return {
      region,
      regulatoryStandard: standardName(found),
      lbtEnabled: found?.listens ? 'true' : 'false',
      channelData: channelsKhz,
      minTxPowerSupported: Math.ceil(minDbm * 10),
      maxTxPowerSupported: Math.floor(maxDbm * 10),
    };
  },
};
