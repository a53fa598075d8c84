/**
 * Settings of the reader itself: its name, cables and region. They are no part of the group of the system: of what is
 * no command a connection answers only twenty in a minute, and each operation gets two of them.
 */
import type { Group } from '../operation-case.js';

export const readerSettings: Group = async ({ reader }) => ({
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
});
