/** A reader that is told so fetches nothing from itself and its link, and tests no connection to it. */
import { createServer as createHttpServer } from 'node:http';
import { createServer, type Socket } from 'node:net';
import t from 'tap';
import { mqttLogin } from '../../src/reader-gateway/connection-test/mqtt-login.js';
import { fetchFile, fetchInto } from '../../src/reader-gateway/fetch/fetch-file.js';
import { isLocalAddress, Reach } from '../../src/reader-gateway/fetch/reach.js';
import { MemorySink } from '../../src/reader-gateway/fetch/sinks.js';
import { Certificates } from '../../src/reader-gateway/tls/certificates.js';
import { detailOf, listen, mqttTo, postTo, tryOut } from '../gateway/connection-tests.js';
import { TestReader, temporaryFolder } from '../gateway/reader.js';

const REFUSED = /is an address of the reader itself or of its link/;
const HOSTS = [
  '127.0.0.1',
  '127.1.2.3',
  'localhost',
  '0.0.0.0',
  '0',
  '2130706433',
  '0x7f.1',
  '017700000001',
  '[::1]',
  '[::]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[::127.0.0.1]',
  '169.254.169.254',
  '[fe80::1]',
];

t.test('a reader that refuses them', async (t) => {
  const reader = await TestReader.start(t, { refuseLocalFetches: true });
  t.teardown(() => reader.gateway.stop());
  let connections = 0;
  const port = await listen(
    t,
    createServer((socket) => {
      connections++;
      socket.destroy();
    }),
  );

  t.test('no file is fetched, however the address is written', async (t) => {
    for (const host of HOSTS) {
      const plain = `http://${host}:${port}`;
      const none = { authenticationType: 'NONE' };
      for (const [path, body] of [
        ['apps/install', { ...none, url: plain, filename: 'a.deb' }],
        ['os', { ...none, url: `${plain}/os.bundle` }],
        ['certificates/one', { type: 'client', url: `https://${host}:${port}/a.pfx` }],
        ['certificates/one', { type: 'client', url: `ftps://${host}:${port}/a.pfx` }],
      ] as const) {
        const { status, json } = await reader.call('PUT', path, body);
        t.equal(status, 400, `${path} ${host}`);
        t.match(json.message, REFUSED, `${path} ${host}`);
      }
    }
    t.equal(connections, 0);
  });

  t.test('no connection is tested', async (t) => {
    for (const host of HOSTS.filter((name) => name !== '0')) {
      const tests = [mqttTo(`tcp://${host}:${port}`), postTo(`http://${host}:${port}/`)];
      for (const connection of tests) {
        const result = await tryOut(reader, connection);
        t.equal(result.ok, false);
        const details = `${detailOf(result, 'dns')} ${detailOf(result, 'tcp')}`;
        t.match(details, REFUSED, host);
      }
    }
    t.equal(connections, 0);
  });

  t.test('the login of a test looks again: a name may lead elsewhere by then', async (t) => {
    const around = {
      certificates: new Certificates(temporaryFolder(t)),
      configured: [],
      reach: new Reach(true),
    };
    for (const protocol of ['tcp', 'ssl', 'ws', 'wss']) {
      const { options } = mqttTo(`${protocol}://localhost:${port}`) as never;
      await t.rejects(mqttLogin(options, around, new AbortController().signal), REFUSED, protocol);
    }
    t.equal(connections, 0);
  });
});

/** So that a server of this test is as good as one somewhere else. */
const elsewhere = new Reach(true, (address) => address !== '127.0.0.2' && isLocalAddress(address));

function sourceOf(url: string) {
  return { url, tls: {}, connectMs: 10_000, readMs: 10_000, totalMs: 30_000 };
}

t.test('a server elsewhere cannot send the reader to itself', async (t) => {
  const certificates = new Certificates(temporaryFolder(t));
  let asked = 0;
  const inner = await listen(
    t,
    createHttpServer((_request, response) => {
      asked++;
      response.end('secret');
    }),
  );
  const outer = createHttpServer(({ url = '' }, response) => {
    response.writeHead(302, { location: `http://${url.slice(1)}:${inner}/` }).end();
  });
  const port = await listen(t, outer, '127.0.0.2');
  for (const host of ['127.0.0.1', 'localhost', '2130706433', '[::ffff:127.0.0.1]']) {
    const source = sourceOf(`http://127.0.0.2:${port}/${host}`);
    await t.rejects(fetchFile(source, certificates, 1000, elsewhere), REFUSED, host);
  }
  t.equal(asked, 0);
  // This redirection is followed where nothing is refused, so it was the refusal.
  const open = fetchFile(
    sourceOf(`http://127.0.0.2:${port}/localhost`),
    certificates,
    1000,
    new Reach(false),
  );
  t.equal((await open).toString(), 'secret');
});

t.test('a client is not told whether a port elsewhere is closed or breaks off', async (t) => {
  const certificates = new Certificates(temporaryFolder(t));
  const resetting = createServer((socket: Socket) => socket.resetAndDestroy());
  const talking = createServer((socket: Socket) => socket.end('220 ready\r\n'));
  const unused = createServer();
  const closed = await listen(t, unused, '127.0.0.2');
  await new Promise((resolve) => unused.close(resolve));
  const texts = new Set<string>();
  for (const port of [
    closed,
    await listen(t, resetting, '127.0.0.2'),
    await listen(t, talking, '127.0.0.2'),
  ]) {
    const source = sourceOf(`http://127.0.0.2:${port}/file`);
    const sinkOf = () => new MemorySink(1000);
    const failure = await fetchInto(source, certificates, sinkOf, 1000, { reach: elsewhere }).catch(
      (error) => error,
    );
    texts.add(failure.message.replace(`:${port}`, ''));
  }
  t.same([...texts], ['http://127.0.0.2/file gives no answer that is HTTP or FTPS']);
});
