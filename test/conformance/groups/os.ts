/** OS updates. */
import { until } from '../../gateway/reader.js';
import { FileServer, makeBundle, trustSigner } from '../../gateway/updates.js';
import type { Group } from '../operation-case.js';

export const os: Group = async ({ t, reader }) => {
  trustSigner(reader.stateDir);
  const bundle = await FileServer.start(t, makeBundle({ version: '7.1.0' }));
  // That of the gateway which is there: an update ends in a reboot.
  const update = () => reader.gateway.context.update;
  const idle = () => until('no update runs', () => update().status === undefined, 60_000);
  const request = { url: bundle.url, authenticationType: 'NONE' };
  return {
    setRevertbackOs: {
      success: {},
      before: async () => {
        if ((await update().revertVersion()) !== '') return;
        await reader.call('PUT', 'os', request);
        await idle();
      },
      after: idle,
      // Before any update: a factory device has one version.
      others: { 404: { code: 5 } },
    },
    setOs: { success: request, before: idle, after: idle },
  };
};
