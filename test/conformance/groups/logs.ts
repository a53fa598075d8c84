/** Logs. */
import type { Group } from '../operation-case.js';

export const logs: Group = async () => ({
  getLogConfig: { success: {} },
  setLogConfig: { success: { components: [{ componentName: 'radio_control', level: 'INFO' }] } },
  getLog: { success: { logType: 'syslog' } },
  purgeLog: { success: { logType: 'RgErrorLog' } },
});
