import t from 'tap';
import { killWrites } from './config-kills.js';

t.test('after a kill the configuration is the old or the new one, whole', async (t) => {
  const news = await killWrites(t, 60, 6);
  t.ok(news > 0 && news < 6, 'kills came before and after the write');
});
