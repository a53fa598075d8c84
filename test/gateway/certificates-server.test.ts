/** Server certificates: REST serves with the one that was installed last, at once. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect } from 'node:tls';
import t from 'tap';
import { Authority, pfxOf } from './certificates.js';
import { FakeRadio } from './fake-radio.js';
import { radioTarget, TestReader, temporaryFolder, until } from './reader.js';

/** @returns The common name that a server shows. */
function shownBy(url: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({
      host: '127.0.0.1',
      port: Number(new URL(url).port),
      rejectUnauthorized: false,
    });
    socket.once('error', reject);
    socket.once('secureConnect', () => {
      resolve(String(socket.getPeerCertificate().subject.CN));
      socket.destroy();
    });
  });
}

t.test('REST takes up a server certificate without a restart, and keeps it over one', async (t) => {
  const stateDir = temporaryFolder(t);
  const radio = new FakeRadio();
  await radio.listen(radioTarget(stateDir));
  t.teardown(() => radio.kill());
  const reader = await TestReader.start(t, { stateDir, radio });
  let { gateway } = reader;
  t.teardown(() => gateway.stop());
  const authority = new Authority();
  const before = await shownBy(gateway.restUrl);
  const { json: first } = await reader.call('GET', 'certificates');
  t.match(first, [{ name: 'factory', type: 'server', subjectName: `CN=${before}` }]);
  t.equal(first.length, 1);

  const install = (name: string, subject: string) =>
    reader.call('PUT', `certificates/${name}`, {
      type: 'server',
      pfxContent: pfxOf(authority.issue({ name: subject }), 'x').toString('base64'),
      pfxPassword: 'x',
    });
  const shows = async (subject: string) => {
    let shown = '';
    await until(`REST shows ${subject}`, () => {
      void shownBy(gateway.restUrl).then((name) => {
        shown = name;
      });
      return shown === subject;
    });
  };
  t.match(await install('rest', 'reader one'), { status: 200 });
  await shows('reader one');
  t.match(await install('other', 'reader two'), { status: 200 });
  await shows('reader two');
  t.match(await install('other', 'reader three'), { status: 200 });
  await shows('reader three');
  t.match(await install('factory', 'x'), { status: 400, json: { code: 1 } });
  t.match(await reader.call('DELETE', 'certificates/other', { type: 'server' }), {
    status: 400,
    json: { code: 1, message: 'type: "server" is not one of client, app' },
  });

  await gateway.stop();
  ({ gateway } = await TestReader.start(t, { stateDir, radio }));
  t.equal(await shownBy(gateway.restUrl), 'reader three');
  await gateway.stop();

  const folder = join(stateDir, 'certificates', 'server', 'other');
  const cert = readFileSync(join(folder, 'cert.pem'));
  writeFileSync(join(folder, 'cert.pem'), 'damaged');
  ({ gateway } = await TestReader.start(t, { stateDir, radio }));
  t.equal(await shownBy(gateway.restUrl), before, 'REST is there with a damaged certificate too');
  await gateway.stop();

  writeFileSync(join(folder, 'cert.pem'), cert);
  rmSync(folder, { recursive: true });
  ({ gateway } = await TestReader.start(t, { stateDir, radio }));
  t.equal(await shownBy(gateway.restUrl), before);
});
