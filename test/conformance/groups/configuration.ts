/** The reader configuration, its parts, and all that was set. */
import type { Group } from '../operation-case.js';
import { rebooting } from '../reboots.js';

export const configuration: Group = async ({ reader }) => {
  // Nobody is there; nothing reads, so nothing is sent.
  const cloud = { type: 'httpPost', name: 'cloud', options: { URL: 'http://127.0.0.1:9/' } };
  const withConnections = (...connections: object[]) => ({
    endpointConfig: { data: { event: { connections } } },
  });
  const setConnections = (...connections: object[]) =>
    reader.call('PUT', 'cloudConfig', withConnections(...connections));
  return {
    getConfig: { success: {} },
    setConfig: { success: { xml: '<a/>' } },
    getManagementEventConfig: { success: {} },
    setManagementEventConfig: { success: { gpiEvents: false, warnings: { cpu: false } } },
    importCloudConfig: { success: withConnections(cloud) },
    setDataToRG: {
      success: {},
      others: {
        400: { code: 3, before: () => setConnections(), after: () => setConnections(cloud) },
      },
    },
    exportConfig: { success: {} },
    importConfig: {
      success: {
        formatVersion: 1,
        config: { xml: '<b/>' },
        mode: { type: 'SIMPLE' },
        nameAndDescription: { name: 'a', description: 'b' },
      },
      others: {
        400: {
          code: 3,
          request: { region: { region: 'listenland', channels: [] } },
          before: () => reader.call('PUT', 'start', {}),
          after: () => reader.call('PUT', 'stop', {}),
        },
      },
    },
    resetConfig: { success: { confirm: true }, needs: ['platform'], ...rebooting(reader) },
  };
};
