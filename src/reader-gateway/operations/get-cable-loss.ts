import { CableLosses } from '../api/cable-loss.js';
import { NoPayload } from '../api/empty.js';
import { cableOf } from '../state/setting-kinds.js';
import type { Operation } from './operation.js';

export const getCableLoss: Operation = {
  name: 'getCableLossCompensation',
  summary: 'The cable of each antenna port',
  method: 'GET',
  path: '/cloud/cableLossCompensation',
  mqttCommand: 'get_cable_loss_compensation',
  channel: 'management',
  requestSchema: NoPayload,
  responseSchema: CableLosses,
  async run({ cables, radio }): Promise<CableLosses> {
    const { antennas } = await radio.capabilities();
    return Object.fromEntries(
      antennas.map((port) => [String(port), { ...cableOf(cables.present.ports, port) }]),
    );
  },
};
