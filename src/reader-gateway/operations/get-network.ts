import { GetNetwork, Network } from '../api/network.js';
import { networkAnswer } from '../system/network-settings.js';
import type { Operation } from './operation.js';

export const getNetwork: Operation = {
  name: 'getNetwork',
  summary: 'Addresses of the reader: of one interface, or of all',
  method: 'GET',
  path: '/cloud/network',
  mqttCommand: 'get_network',
  channel: 'management',
  requestSchema: GetNetwork,
  responseSchema: Network,
  async run({ platform }, request): Promise<Network> {
    const { interface: wanted = 'all' } = request as GetNetwork;
    const [state, hostName] = await Promise.all([
      platform.network.read(),
      platform.hostName.read(),
    ]);
    return networkAnswer(state, hostName, wanted === 'all' ? undefined : wanted);
  },
};
