/** Operating mode, start and stop. */
import type { Group } from '../operation-case.js';

export const reading: Group = async ({ reader }) => ({
  getMode: { success: { verbose: true } },
  setMode: { success: { type: 'SIMPLE' } },
  explainMode: { success: { type: 'SIMPLE' }, needs: ['radio'] },
  start: {
    success: { doNotPersistState: true },
    needs: ['radio'],
    after: () => reader.call('PUT', 'stop'),
  },
  stop: { success: {} },
});
