import { once } from 'node:events';
import { createConnection, createServer } from 'node:net';
import mqtt from 'mqtt';
import packets from 'mqtt-packet';
import t, { type Test } from 'tap';
import { freePort } from '../../bench/delivery/free-port.js';
import { startBroker } from '../../src/cli/broker.js';

const LOGIN = { password: 'a password of tests', openTagEvents: false };

async function broker(t: Test) {
  const port = await freePort();
  const started = await startBroker(port, LOGIN);
  t.teardown(() => started.close());
  const connect = (options: mqtt.IClientOptions = {}) =>
    mqtt.connectAsync(`mqtt://127.0.0.1:${port}`, {
      ...{ reconnectPeriod: 0, username: 'local', password: LOGIN.password },
      ...options,
    });
  return { aedes: await started.aedes, connect, port };
}

t.test('messages pass from one client to another', async (t) => {
  const { connect } = await broker(t);
  const [from, to] = [await connect(), await connect()];
  await to.subscribeAsync('a/#');
  const arrived = new Promise<[string, Buffer]>((resolve) =>
    to.once('message', (topic, payload) => resolve([topic, payload])),
  );
  await from.publishAsync('a/b', 'hello', { qos: 1 });
  const [topic, payload] = await arrived;
  t.equal(topic, 'a/b');
  t.equal(String(payload), 'hello');
  await Promise.all([from.endAsync(), to.endAsync()]);
});

t.test('the session of a client that is away keeps nothing', async (t) => {
  const { connect, aedes } = await broker(t);
  const session = { clientId: 'away', clean: false };
  const away = await connect(session);
  await away.subscribeAsync('t', { qos: 1 });
  await away.endAsync();
  const publisher = await connect();
  for (let i = 0; i < 500; i++) await publisher.publishAsync('t', `message ${i}`, { qos: 1 });
  await publisher.endAsync();

  const persistence = (aedes as unknown as { persistence: Persistence }).persistence;
  t.strictSame(await persistence.countOffline(), { subsCount: 0, clientsCount: 0 });
  let kept = 0;
  for await (const _packet of persistence.outgoingStream({ id: 'away' })) kept++;
  t.equal(kept, 0);
  const again = await connect(session);
  const got: unknown[] = [];
  again.on('message', (_topic, payload) => got.push(String(payload)));
  await again.publishAsync('other', 'x', { qos: 1 });
  t.strictSame(got, []);
  await again.endAsync();
});

interface Persistence {
  countOffline(): Promise<unknown>;
  outgoingStream(client: { id: string }): AsyncIterable<unknown>;
  createRetainedStream(pattern: string): AsyncIterable<unknown>;
}

t.test('retained messages are kept, within bounds', async (t) => {
  const { connect, aedes } = await broker(t);
  const publisher = await connect();
  const retain = { retain: true, qos: 1 } as const;
  for (let i = 0; i < 1100; i++) await publisher.publishAsync(`r/${i}`, 'x', retain);
  await publisher.publishAsync('r/0', Buffer.alloc(100_000), retain);
  const persistence = (aedes as unknown as { persistence: Persistence }).persistence;
  let kept = 0;
  for await (const _packet of persistence.createRetainedStream('r/#')) kept++;
  t.equal(kept, 1000);
  await publisher.endAsync();
});

t.test('a client that takes nothing is cut off and holds nobody up for longer', async (t) => {
  const { connect, aedes, port } = await broker(t);
  const [well, publisher] = [await connect(), await connect()];
  await well.subscribeAsync('big');
  let arrived = 0;
  well.on('message', () => {
    arrived++;
  });
  // By hand, for a socket that nobody reads: CONNECT, and SUBSCRIBE to "big".
  const frozen = createConnection(port, '127.0.0.1');
  t.teardown(() => frozen.destroy());
  frozen.on('error', () => {});
  const login = { username: 'local', password: Buffer.from(LOGIN.password) };
  frozen.write(packets.generate({ cmd: 'connect', clientId: 'fz', keepalive: 60, ...login }));
  frozen.write(Buffer.from('82080001000362696700', 'hex'));
  await new Promise((resolve) => aedes.once('subscribe', resolve));
  const cut = new Promise((resolve) => aedes.once('clientDisconnect', resolve));
  const started = Date.now();
  for (let i = 0; i < 200; i++) {
    await publisher.publishAsync('big', Buffer.alloc(100_000), { qos: 1 });
  }
  await cut;
  t.ok(Date.now() - started < 15_000, `${Date.now() - started} ms`);
  for (let i = 0; i < 50 && arrived < 200; i++) await new Promise((go) => setTimeout(go, 20));
  t.equal(arrived, 200);
  await Promise.all([well.endAsync(), publisher.endAsync()]);
});

t.test('a client cannot publish as the broker itself', async (t) => {
  const { connect } = await broker(t);
  const client = await connect();
  const closed = new Promise((resolve) => client.once('close', () => resolve(undefined)));
  client.on('error', () => {});
  client.publish('$SYS/x', 'y');
  await closed;
  t.pass('it is disconnected');
});

t.test('a busy port is a clear error', async (t) => {
  const busy = createServer().listen(0, '127.0.0.1');
  await once(busy, 'listening');
  t.teardown(() => busy.close());
  const { port } = busy.address() as { port: number };
  await t.rejects(startBroker(port, LOGIN), {
    code: 'CONFIG',
    message: `--mqtt-port: port ${port} is in use by another program`,
  });
});
