/** Operating mode, start and stop. */
import type { Group } from '../operation-case.js';

export const reading: Group = async ({ reader }) => ({
  getMode: { success: { verbose: true }, needs: ['radio'] },
  setMode: { success: { type: 'SIMPLE' } },
  explainMode: { success: { type: 'SIMPLE' }, needs: ['radio'] },
  start: {
    success: { doNotPersistState: true },
    after: () => reader.call('PUT', 'stop'),
  },
  stop: { success: {} },
});
