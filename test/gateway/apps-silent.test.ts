import t from 'tap';
import { AppReader, answering, appPackage } from './user-apps.js';

t.test('a command that an application does not answer in time fails', async (t) => {
  const times = { responseMs: 400, graceMs: 300 };
  const apps = await AppReader.start(t, { userApps: { times } });
  await apps.installed(appPackage('silent', answering('() => undefined')));
  await apps.do('silent', 'start');
  await apps.connected('silent');
  t.match(await apps.send('silent', 'x'), {
    status: 500,
    json: { code: 4, message: 'silent has not answered the command within 0.4 s' },
  });
});
