/** Operating mode, start and stop. */
import type { Group } from '../operation-case.js';

export const reading: Group = async ({ reader, radio }) => ({
  getMode: { success: { verbose: true } },
  setMode: { success: { type: 'SIMPLE' } },
  explainMode: { success: { type: 'SIMPLE' }, needs: ['radio'] },
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
  stop: { success: {} },
});
