/** An installation while the reader still starts what ran before. */
import t from 'tap';
import { AppReader, appPackage } from './user-apps.js';

t.test('an installation that comes early is not swept away by the start', async (t) => {
  const apps = await AppReader.start(t);
  const { server, reader } = apps;
  server.answer = (request, response) => {
    // As late as a start on a busy machine may come to it.
    void reader.gateway.apps.resume().then(() => server.serve(request, response));
  };
  await apps.installed(appPackage('early'));
  t.equal(apps.app('early')?.appname, 'early');
});
