/** Logs. */
import type { Group } from '../operation-case.js';

export const logs: Group = async ({ radio }) => ({
  getLogConfig: { success: {} },
  setLogConfig: {
    success: { components: [{ componentName: 'radio_control', level: 'INFO' }] },
    others: {
      400: {
        code: 3,
        request: { radioPacketLog: true },
        before: async () => {
          radio.refusesPackets = 'this radio has no packets';
        },
        after: async () => {
          radio.refusesPackets = '';
        },
      },
    },
  },
  getLog: { success: { logType: 'syslog' } },
  purgeLog: { success: { logType: 'RgErrorLog' } },
});
