/** Who is let in at the reader's own broker, and how far. */
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import mqtt from 'mqtt';
import t, { type Test } from 'tap';
import { freePort } from '../../bench/delivery/free-port.js';
import { startBroker } from '../../src/cli/broker.js';
import { ensureBrokerPassword } from '../../src/cli/broker-login.js';
import { until } from '../gateway/reader.js';

const PASSWORD = 'a password of tests';
const known = { username: 'local', password: PASSWORD };

async function broker(t: Test, openTagEvents: boolean) {
  const port = await freePort();
  const started = await startBroker(port, { password: PASSWORD, openTagEvents });
  const clients: mqtt.MqttClient[] = [];
  t.teardown(async () => {
    for (const client of clients) client.end(true);
    await started.close();
  });
  return async (options: mqtt.IClientOptions = {}) => {
    const url = `mqtt://127.0.0.1:${port}`;
    const client = await mqtt.connectAsync(url, { reconnectPeriod: 0, ...options });
    clients.push(client);
    return client;
  };
}

/** What arrives, as TOPIC PAYLOAD. */
function heard(client: mqtt.MqttClient): string[] {
  const all: string[] = [];
  client.on('message', (topic, payload) => all.push(`${topic} ${payload}`));
  return all;
}

t.test('without a login nobody is let in', async (t) => {
  const connect = await broker(t, false);
  await t.rejects(connect(), { code: 5 });
  for (const wrong of [
    { username: 'local' },
    { username: 'local', password: '' },
    { username: 'local', password: 'a password of testz' },
    { username: 'admin', password: PASSWORD },
    { username: '', password: PASSWORD },
  ]) {
    await t.rejects(connect(wrong), { code: 4 }, JSON.stringify(wrong));
  }
  const client = await connect(known);
  t.equal(client.connected, true);
});

t.test('tag events may be open to all, and nothing else is', async (t) => {
  const connect = await broker(t, true);
  const [owner, stranger] = [await connect(known), await connect()];
  const asked = ['singulate/d-evt', 'singulate/c-res', '#', 'singulate/+', '$SYS/#', '+/d-evt'];
  const granted = [];
  for (const topic of asked) {
    // Refused ones are an error of mqtt.js.
    const answer = await stranger.subscribeAsync(topic).catch(() => []);
    if (answer.some(({ qos }) => qos < 128)) granted.push(topic);
  }
  t.same(granted, ['singulate/d-evt']);
  const ofStranger = heard(stranger);
  const ofOwner = heard(owner);
  await owner.subscribeAsync('singulate/#');
  await owner.publishAsync('singulate/c-res', 'an answer', { qos: 1 });
  await owner.publishAsync('singulate/d-evt', 'an event', { qos: 1 });
  const gone = new Promise<void>((resolve) => stranger.once('close', () => resolve()));
  stranger.publish('singulate/c-req', '{"command":"stop"}');
  await gone;
  await owner.publishAsync('singulate/d-evt', 'the last', { qos: 1 });
  await until('the owner has all', () => ofOwner.length === 3);
  t.same(ofStranger, ['singulate/d-evt an event']);
  t.notMatch(ofOwner.join(), /stop/, 'a command of a stranger reaches nobody');
});

t.test('a client without a login does not end one of the same id', async (t) => {
  const connect = await broker(t, true);
  const owner = await connect({ ...known, clientId: 'the same' });
  const ofOwner = heard(owner);
  await owner.subscribeAsync('a');
  const stranger = await connect({ clientId: 'the same' });
  await owner.publishAsync('a', 'still here', { qos: 1 });
  await until('it arrives', () => ofOwner.length > 0);
  t.same(ofOwner, ['a still here']);
  t.equal(owner.connected, true);
  t.equal(stranger.connected, true);
});

t.test('the password is made once, and only its owner may read it', async (t) => {
  const stateDir = t.testdir({});
  const path = join(stateDir, 'broker-password');
  const password = await ensureBrokerPassword(stateDir);
  t.match(password, /^[\w-]{24}$/);
  t.equal(readFileSync(path, 'utf8'), `${password}\n`);
  t.equal(statSync(path).mode & 0o777, 0o600);
  t.equal(await ensureBrokerPassword(stateDir), password);
  writeFileSync(path, '');
  t.not(await ensureBrokerPassword(stateDir), '', 'an empty file lets nobody in');
  const broken = t.testdir({ 'broker-password': {} });
  mkdirSync(join(broken, 'broker-password', 'x'), { recursive: true });
  await t.rejects(ensureBrokerPassword(broken), { code: 'STORAGE', message: /broker-password/ });
});
