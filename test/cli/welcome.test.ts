import t from 'tap';
import { resolveSettings } from '../../src/cli/settings.js';
import { addresses, welcomeLines } from '../../src/cli/welcome.js';

t.test('the first lines say where REST is reached, and that other machines reach it', async (t) => {
  const given = { 'state-dir': t.testdir({}), 'rest-port': '8444' };
  const settings = await resolveSettings(given, { env: {}, isTerminal: false });
  const text = welcomeLines(settings, { user: 'admin' }, '1.0.0', '/').join('\n');
  t.match(text, /REST {3}https:\/\/127\.0\.0\.1:8444 /);
  t.match(text, /listens on 0\.0\.0\.0:8444: from other machines https:\/\/ADDRESS:8444/);
  t.equal(addresses(settings).restListens, '0.0.0.0:8444', 'also where there are log lines');
});
