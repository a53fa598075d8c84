/** 10,000 random bodies for each operation: an eighth of them, so that all cores have work. */
// alone: what the process could reach outside is cut off for good.
import t from 'tap';
import { checkOperations } from './run-operations.js';

t.test('no body brings a 5xx, a half change, or an error without a field', async (t) => {
  await checkOperations(t, 1, 8);
});
