/** Operating mode, start and stop. */
import type { Group } from '../operation-case.js';

/** All but those of access commands: what changes tags must not be misunderstood. */
const IGNORED = /^(?!access\[\d\]\.config\.)/;
/** With an object of each kind in it. */
const MODE = {
  type: 'SIMPLE',
  antennas: [1, 2],
  tagIdFilter: { value: '30', match: 'prefix', operation: 'include' },
  access: [{ type: 'READ', config: { membank: 'TID', wordPointer: 0, wordCounter: 2 } }],
  antennaStopCondition: [
    { type: 'DURATION', value: 100 },
    { type: 'GPI', value: { port: 1, signal: 'HIGH' } },
  ],
  radioStopConditions: { duration: 10 },
};

export const reading: Group = async ({ reader, radio }) => ({
  getMode: { success: { verbose: true } },
  setMode: { success: MODE, ignores: IGNORED },
  explainMode: { success: MODE, ignores: IGNORED, needs: ['radio'] },
  start: {
    success: { doNotPersistState: true },
    needs: ['radio'],
    after: () => reader.call('PUT', 'stop'),
    others: {
      400: {
        code: 3,
        before: async () => radio.takenBy('somebody else'),
        after: async () => radio.end('stopped'),
      },
    },
  },
  // Taken all the same; but only the radio can say that it stopped.
  stop: { success: {}, needs: ['radio'] },
});
