import t from 'tap';
import { killsOf } from '../delivery/killing.js';
import { killWrites } from '../gateway/config-kills.js';

t.test('after a kill the configuration is the old or the new one, whole', async (t) => {
  const kills = killsOf(25);
  const news = await killWrites(t, 20 * kills, kills);
  t.ok(news > 0 && news < kills, 'kills came before and after the write');
});
