/** The reader configuration, its parts, and all that was set. */
import type { Group } from '../operation-case.js';
import { rebooting } from '../reboots.js';

export const configuration: Group = async ({ reader }) => {
  // Nobody is there; nothing reads, so nothing is sent.
  const cloud = { type: 'httpPost', name: 'cloud', options: { URL: 'http://127.0.0.1:9/' } };
  const heartbeat = { interval: 3600, fields: { system: ['CPU'] } };
  const withConnections = (...connections: object[]) => ({
    endpointConfig: { data: { event: { connections } } },
  });
  const setConnections = (...connections: object[]) =>
    reader.call('PUT', 'cloudConfig', withConnections(...connections));
  return {
    getConfig: { success: {} },
    setConfig: {
      success: {
        xml: '<a/>',
        'GPIO-LED': { CLOUD_CONNECT: [{ type: 'LED', led: 1, color: 'GREEN' }] },
        'READER-GATEWAY': {
          batching: { reportingInterval: 1000, maxPayloadSizePerReport: 10_000 },
          retention: { throttle: 100, maxNumEvents: 1000, maxEventRetentionTimeInMin: 5 },
          ...withConnections(cloud),
        },
      },
    },
    getManagementEventConfig: { success: {} },
    setManagementEventConfig: {
      success: { gpiEvents: false, warnings: { cpu: { threshold: 50 } }, heartbeat },
    },
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
        cableLoss: { 1: { cableLength: 1, cableLossPerHundredFt: 1 } },
        region: { region: 'hopland', channels: [] },
        nameAndDescription: { name: 'a', description: 'b' },
        logs: { components: [{ componentName: 'radio_control', level: 'INFO' }] },
      },
      ignores: /^mode\./,
      needs: ['radio'],
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
