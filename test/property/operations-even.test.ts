/** 10,000 random bodies for every other operation; the rest of them is in operations-odd.test.ts. */
import t from 'tap';
import { checkOperations } from './run-operations.js';

t.test('no body brings a 5xx, a half change, or an error without a field', async (t) => {
  await checkOperations(t, 0, 2);
});
