/** Settings of the system. */
import { readMacAddress } from '../../../src/platform/identity.js';
import type { Group } from '../operation-case.js';
import { rebooting } from '../reboots.js';

export const system: Group = async ({ reader }) => ({
  getNetwork: { success: { interface: 'all' }, needs: ['platform'] },
  setNetwork: {
    success: { hostName: 'reader', dhcp: true, macAdress: readMacAddress() },
    needs: ['platform'],
  },
  setHostname: { success: { hostname: 'reader' }, needs: ['platform'] },
  getTimeZone: { success: {}, needs: ['platform'] },
  setTimeZone: { success: { timeZone: 'Coordinated Universal Time' }, needs: ['platform'] },
  getSupportedTimeZoneList: { success: {}, neverFails: true },
  getNtpServer: { success: {}, needs: ['platform'] },
  setNtpServer: { success: { server: '127.0.0.1' }, needs: ['platform'] },
  reboot: { success: {}, needs: ['platform'], ...rebooting(reader) },
});
