/** testConnection: credentials, and that a test leaves no traces. */
import { createServer, type IncomingMessage } from 'node:http';
import { createServer as createTcpServer, type Socket } from 'node:net';
import { Aedes } from 'aedes';
import t from 'tap';
import { detailOf, listen, mqttTo, postTo, resultsOf, tryOut } from './connection-tests.js';
import { Listener, TestBroker, TestReader, until } from './reader.js';

const OK = { dns: 'not needed', tcp: 'ok', tls: 'not needed', auth: 'ok' };
const REFUSED = { ...OK, auth: 'failed' };
const SECRET = 'a secret of the broker';

t.test('MQTT', async (t) => {
  const aedes = await Aedes.createBroker({
    authenticate: (_client, user, password, done) =>
      user === 'me' && String(password) === SECRET
        ? done(null, true)
        : done(Object.assign(new Error('no'), { returnCode: 4 }), false),
  });
  const seen: string[] = [];
  aedes.on('client', ({ id }) => seen.push(id));
  const published: string[] = [];
  aedes.on('publish', ({ topic }) => {
    if (!topic.startsWith('$SYS')) published.push(topic);
  });
  const sockets = new Set<Socket>();
  const port = await listen(
    t,
    createTcpServer((socket) => {
      sockets.add(socket);
      socket.on('error', () => {});
      aedes.handle(socket);
    }),
  );
  const reader = await TestReader.start(t);
  t.teardown(async () => {
    await reader.gateway.stop();
    for (const socket of sockets) socket.destroy();
    aedes.close();
  });
  const login = (password: string, additional: object = {}, name?: string) =>
    mqttTo(
      `tcp://127.0.0.1:${port}`,
      {
        basicAuthentication: { username: 'me', password },
        additional: {
          will: { topic: 'will', payload: 'gone' },
          birth: { topic: 'birth', payload: 'here' },
          ...additional,
        },
      },
      name === undefined ? {} : { name },
    );

  t.test('a wrong password, and the right one', async (t) => {
    const wrong = await tryOut(reader, login('something else'));
    t.same(resultsOf(wrong), REFUSED);
    t.equal(detailOf(wrong, 'auth'), 'Connection refused: Bad username or password');
    t.notMatch(JSON.stringify(wrong), /something else/);
    const right = await tryOut(reader, login(SECRET));
    t.same(resultsOf(right), OK);
    t.equal(right.ok, true);
    t.match(detailOf(right, 'auth'), /as user "me"/);
    t.notMatch(JSON.stringify(right), new RegExp(SECRET));
    t.same(published, [], 'neither birth nor will');
  });

  t.test('a mask is the stored secret of the same name; what runs is left alone', async (t) => {
    const running = login(SECRET, { clientId: 'line-1', cleanSession: false }, 'line');
    const config = {
      'READER-GATEWAY': { endpointConfig: { data: { event: { connections: [running] } } } },
    };
    t.equal((await reader.call('PUT', 'config', config)).status, 200);
    await reader.dataConnected();
    seen.length = 0;
    const result = await tryOut(
      reader,
      login('********', { clientId: 'line-1', cleanSession: false }, 'line'),
    );
    t.same(resultsOf(result), OK);
    t.match(detailOf(result, 'auth'), /as client "line-1-test"/);
    t.same(seen, ['line-1-test']);
    const { json } = await reader.call('GET', 'config');
    const { connections } = json['READER-GATEWAY'].endpointConfig.data.event;
    t.match(connections, [{ name: 'line', options: { additional: { clientId: 'line-1' } } }]);
    const stranger = await reader.call('POST', 'testConnection', login('********', {}, 'other'));
    t.match(stranger, { status: 400, json: { message: /is the mask of a secret/ } });
  });

  t.test('a broker that says nothing at all, and one that hangs up', async (t) => {
    const hangsUp = await listen(
      t,
      createTcpServer((socket) => {
        socket.on('error', () => {});
        socket.once('data', () => socket.destroy());
      }),
    );
    const result = await tryOut(reader, mqttTo(`tcp://127.0.0.1:${hangsUp}`));
    t.same(resultsOf(result), REFUSED);
    t.match(detailOf(result, 'auth'), /closed the connection without an answer|ECONNRESET/);
  });
});

t.test('HTTP', async (t) => {
  const requests: IncomingMessage[] = [];
  let status = 200;
  const port = await listen(
    t,
    createServer((request, response) => {
      requests.push(request);
      response.statusCode = status;
      response.end();
    }),
  );
  const url = `http://127.0.0.1:${port}/tags?from=reader`;
  const reader = await TestReader.start(t);
  t.teardown(() => reader.gateway.stop());

  const basic = {
    authenticationType: 'BASIC',
    authenticationOptions: { username: 'me', password: SECRET },
  };
  const bearer = {
    authenticationType: 'BEARER',
    authenticationOptions: { token: 'a-secret-token' },
  };
  for (const refusal of [401, 403]) {
    status = refusal;
    const result = await tryOut(reader, postTo(url, basic));
    t.same(resultsOf(result), REFUSED);
    t.match(detailOf(result, 'auth'), new RegExp(String(refusal)));
    t.notMatch(JSON.stringify(result), new RegExp(SECRET));
  }
  for (const other of [200, 204, 404, 405]) {
    status = other;
    const result = await tryOut(reader, postTo(url, bearer));
    t.same(resultsOf(result), OK);
    t.match(detailOf(result, 'auth'), new RegExp(String(other)));
    t.notMatch(JSON.stringify(result), /a-secret-token/);
  }
  t.same(
    new Set(requests.map(({ method, url }) => `${method} ${url}`)),
    new Set(['HEAD /tags?from=reader']),
  );
  t.match(requests[0]?.headers, {
    authorization: `Basic ${Buffer.from(`me:${SECRET}`).toString('base64')}`,
  });
  t.match(requests.at(-1)?.headers, { authorization: 'Bearer a-secret-token' });
});

t.test('over MQTT', async (t) => {
  const broker = new TestBroker();
  await broker.start();
  const listener = new Listener(broker.url);
  const reader = await TestReader.start(t, { broker });
  t.teardown(async () => {
    await reader.gateway.stop();
    listener.client.end(true);
    await broker.stop();
  });
  await reader.dataConnected();
  await until('the listener is there', () => listener.subscribed);
  await until('the commands are there', () =>
    reader.endpoints.every(({ state }) => state === 'connected'),
  );
  const payload = mqttTo(broker.url.href.replace('mqtt:', 'tcp:'));
  listener.client.publish(
    'singulate/m-req',
    JSON.stringify({ command: 'test_connection', command_id: '1', payload }),
  );
  await until('the answer', () => listener.on('singulate/m-res').length === 1);
  t.match(listener.on('singulate/m-res')[0]?.json, {
    command: 'test_connection',
    command_id: '1',
    response: 'success',
    payload: { ok: true, steps: [{}, {}, {}, { step: 'auth', result: 'ok' }] },
  });
});
