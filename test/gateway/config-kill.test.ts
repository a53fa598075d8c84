import t from 'tap';
import { killWrites } from './config-kills.js';

t.test('after a kill the configuration is the old or the new one, whole', async (t) => {
  await killWrites(t, 60, 6);
});
