import { type CableLoss, type CableLosses, SetCableLosses } from '../api/cable-loss.js';
import { changeCables } from '../system/change-cables.js';
import type { Operation } from './operation.js';

export const setCableLoss: Operation = {
  name: 'setCableLossCompensation',
  summary:
    'Tell the cable of all antenna ports, or of some; the radio then sends with so much more',
  method: 'PUT',
  path: '/cloud/cableLossCompensation',
  mqttCommand: 'set_cable_loss_compensation',
  channel: 'management',
  requestSchema: SetCableLosses,
  responseSchema: undefined,
  unprocessable: true,
  async run({ radio, radioSettings }, request) {
    const { antennas } = await radio.capabilities();
    const given = request as Partial<CableLoss> & CableLosses;
    await radioSettings.setCables((before) => changeCables(before, given, antennas));
  },
};
