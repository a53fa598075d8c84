/** Connections that name an installed certificate are made again when it changes. */
import { createServer as createTlsServer, type TLSSocket } from 'node:tls';
import t from 'tap';
import { Authority, pfxOf } from './certificates.js';
import { listen, mqttTo } from './connection-tests.js';
import { TestBroker, TestReader, until } from './reader.js';

t.test('an endpoint shows the new certificate after an install and a refresh', async (t) => {
  const authority = new Authority();
  const broker = new TestBroker();
  await broker.start();
  const shown: string[] = [];
  const server = createTlsServer(
    { ...authority.issue({ name: 'broker' }), ca: authority.cert, requestCert: true },
    (socket: TLSSocket) => {
      shown.push(String(socket.getPeerCertificate().subject.CN));
      socket.on('error', () => {});
      broker.handle(socket);
    },
  );
  server.on('tlsClientError', () => {});
  const port = await listen(t, server);
  const reader = await TestReader.start(t);
  t.teardown(async () => {
    await reader.gateway.stop();
    await broker.stop();
  });
  const install = (subject: string, name = 'cloud') => {
    const pfx = pfxOf(authority.issue({ name: subject }), 'x', [authority.cert]);
    return reader.call('PUT', `certificates/${name}`, {
      type: 'client',
      pfxContent: pfx.toString('base64'),
      pfxPassword: 'x',
    });
  };
  const security = { installedCertificateName: 'cloud', installedCertificateType: 'client' };
  const connections = (topic: string, subscribe?: string) => ({
    connections: [
      {
        ...mqttTo(`ssl://127.0.0.1:${port}`, {
          publishTopic: [topic],
          ...(subscribe ? { subscribeTopic: [subscribe] } : {}),
          security,
        }),
        name: `the cloud ${topic}`,
      },
    ],
  });
  const config = {
    'READER-GATEWAY': {
      endpointConfig: {
        data: { event: connections('tags') },
        management: {
          commandResponse: connections('answers', 'commands'),
          event: { connections: [] },
        },
        control: { commandResponse: { connections: [] } },
      },
    },
  };
  t.match(await reader.call('PUT', 'config', config), { status: 200 });
  await until('both miss the certificate', () =>
    reader.endpoints.every(({ error }) => error === 'no client certificate "cloud" is installed'),
  );

  t.match(await install('one'), { status: 200 });
  await until('both come', () => shown.filter((name) => name === 'one').length === 2);
  await reader.dataConnected();
  t.match(await install('two'), { status: 200 });
  await until('both come again', () => shown.filter((name) => name === 'two').length === 2);
  await reader.dataConnected();

  t.match(await install('not theirs', 'unused'), { status: 200 });
  t.match(await install('three'), { status: 200 });
  await until('both come once more', () => shown.filter((name) => name === 'three').length === 2);
  t.same(shown, ['one', 'one', 'two', 'two', 'three', 'three'], 'only their own disturbs them');

  const refused = await reader.call('DELETE', 'certificates/cloud', { type: 'client' });
  t.match(refused, {
    status: 400,
    json: { code: 3, message: /used by the connection "the cloud/ },
  });
  t.match(await reader.call('DELETE', 'certificates/unused', { type: 'client' }), { status: 200 });
  t.match(await reader.call('DELETE', 'certificates/unused', { type: 'client' }), { status: 404 });
});
