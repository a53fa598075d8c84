/** Settings of the system and of the radio. */
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
  getNameAndDescription: { success: {} },
  setNameAndDescription: { success: { name: 'a', description: 'b' } },
  getCableLossCompensation: { success: {} },
  setCableLossCompensation: { success: { cableLength: 1, cableLossPerHundredFt: 1 } },
  getRegion: { success: {}, needs: ['radio'] },
  setRegion: {
    success: { region: 'listenland' },
    needs: ['radio'],
    others: {
      400: {
        code: 3,
        before: () => reader.call('PUT', 'start', {}),
        after: () => reader.call('PUT', 'stop', {}),
      },
    },
  },
  getSupportedRegionList: { success: {}, needs: ['radio'] },
  getSupportedCountryList: { success: { region: 'listenland' }, needs: ['radio'] },
  getSupportedStandardList: { success: { region: 'listenland' }, needs: ['radio'] },
  reboot: { success: {}, needs: ['platform'], ...rebooting(reader) },
});
