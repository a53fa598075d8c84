/** OS updates. */
import { until } from '../../gateway/reader.js';
import { FileServer, makeBundle, trustSigner } from '../../gateway/updates.js';
import type { Group, Provocation } from '../operation-case.js';

export const os: Group = async ({ t, reader }) => {
  trustSigner(reader.stateDir);
  const bundle = await FileServer.start(t, makeBundle({ version: '7.1.0' }));
  // That of the gateway which is there: an update ends in a reboot.
  const update = () => reader.gateway.context.update;
  const idle = () => until('no update runs', () => update().status === undefined, 60_000);
  const retry = { policy: { retries: 0, wait: { min: 0, max: 1 } } };
  const request = { url: bundle.url, authenticationType: 'NONE', timeouts: { read: 10 }, retry };
  const halting = await FileServer.start(t, Buffer.alloc(1000));
  halting.holdAfter = 10;
  const endless = { ...request, url: halting.url };
  const duringAnother: Provocation = {
    code: 3,
    before: () => reader.call('PUT', 'os', endless),
    after: async () => {
      halting.failures = Array.from({ length: 10 }, () => ({ status: 404 }));
      halting.breakOff();
      await idle();
      halting.failures = [];
    },
  };
  return {
    setRevertbackOs: {
      success: {},
      before: async () => {
        if ((await update().revertVersion()) !== '') return;
        await reader.call('PUT', 'os', request);
        await idle();
      },
      after: idle,
      // Of a factory device, which has one version.
      others: { 404: { code: 5 }, 400: duringAnother },
    },
    setOs: { success: request, before: idle, after: idle, others: { 400: duringAnother } },
  };
};
