import { SetNetwork } from '../api/network.js';
import { checkedNetworkRequest, networkChange } from '../system/network-settings.js';
import type { Operation } from './operation.js';
import { renameReader } from './set-host-name.js';

export const setNetwork: Operation = {
  name: 'setNetwork',
  summary: 'Change host name and addresses, whole or not at all; in force after the answer',
  method: 'PUT',
  path: '/cloud/network',
  mqttCommand: 'set_network',
  channel: 'management',
  requestSchema: SetNetwork,
  responseSchema: undefined,
  checksItself: true,
  async run(context, request, afterAnswer) {
    const { platform, log } = context;
    const wanted = checkedNetworkRequest(request);
    const change = networkChange(wanted, await platform.network.read());
    const nameBefore = await platform.hostName.read();
    await renameReader(context, wanted.hostName);
    if (Object.keys(change).length === 0) return;
    let apply: () => Promise<void>;
    try {
      apply = await platform.network.store(change);
    } catch (error) {
      await renameReader(context, nameBefore);
      throw error;
    }
    afterAnswer(() => {
      apply().catch((err) => log.error({ err }, 'the new network settings failed, the old hold'));
    });
  },
};
