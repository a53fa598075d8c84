/** Server certificates: REST serves with the one that was installed last, at once. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect } from 'node:tls';
import t from 'tap';
import { freePort } from '../../bench/delivery/free-port.js';
import { Commands } from '../../src/reader-gateway/mqtt/commands.js';
import { OPERATIONS } from '../../src/reader-gateway/operations/table.js';
import { Authority, pfxOf } from './certificates.js';
import { FakeRadio } from './fake-radio.js';
import { radioTarget, TestReader, temporaryFolder, until } from './reader.js';
import { silent } from './updates.js';

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

t.test(
  'a server certificate that is deleted is not served any more, by REST and by endpoints',
  async (t) => {
    const reader = await TestReader.start(t);
    t.teardown(() => reader.gateway.stop());
    const authority = new Authority();
    const own = await shownBy(reader.gateway.restUrl);
    const port = await freePort();
    const endpoint = (security: object) => ({
      type: 'tcpip-server',
      name: 'line',
      options: { tcpipport: port, enableSecurity: true, security },
    });
    const setConnections = (...connections: object[]) =>
      reader.call('PUT', 'cloudConfig', { endpointConfig: { data: { event: { connections } } } });
    const install = (name: string) =>
      reader.call('PUT', `certificates/${name}`, {
        type: 'server',
        pfxContent: pfxOf(authority.issue({ name }), 'x').toString('base64'),
        pfxPassword: 'x',
      });
    const remove = (name: string) => reader.call('DELETE', `certificates/${name}?type=server`);
    const bothShow = async (subject: string) => {
      for (const url of [reader.gateway.restUrl, `https://127.0.0.1:${port}`]) {
        await until(`${url} shows ${subject}`, async () => {
          return (await shownBy(url).catch(() => '')) === subject;
        });
      }
    };
    t.match(await install('one'), { status: 200 });
    t.match(await install('two'), { status: 200 });
    t.match(await setConnections(endpoint({ useLocalCerts: true })), { status: 200 });
    await bothShow('two');

    t.match(await remove('two'), { status: 200, text: '' });
    await bothShow(own);
    const names = async () =>
      ((await reader.call('GET', 'certificates')).json as { name: string }[]).map(
        ({ name }) => name,
      );
    t.same(await names(), ['factory', 'one']);
    t.match(await remove('two'), { status: 404, json: { code: 5 } });
    t.match(await remove('factory'), {
      status: 400,
      json: {
        code: 1,
        message: 'certname: "factory" is the certificate that the reader made itself',
      },
    });

    const named = { installedCertificateName: 'one', installedCertificateType: 'server' };
    t.match(await setConnections(endpoint(named)), { status: 200 });
    t.match(await remove('one'), {
      status: 400,
      json: { code: 3, message: 'the server certificate "one" is used by the connection "line"' },
    });
    t.match(await setConnections(), { status: 200 });
    const commands = new Commands(OPERATIONS, reader.gateway.context, silent);
    const command = { command: 'del_certificate', payload: { certname: 'one', type: 'server' } };
    const answer = await commands.run(Buffer.from(JSON.stringify(command)));
    answer?.afterAnswer?.();
    t.match(JSON.parse(answer?.message ?? 'null'), { response: 'success' });
    t.same(await names(), ['factory']);
  },
);
