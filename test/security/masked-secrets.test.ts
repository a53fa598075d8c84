/** A secret that was masked goes to nobody else than before, no matter who sends its mask back. */
import { createServer } from 'node:http';
import t from 'tap';
import { listen } from '../gateway/connection-tests.js';
import { TestReader } from '../gateway/reader.js';

const MASK = '********';
const SECRET = 'hidden-Pa55word';

const mqtt = (endpoint: unknown, password: string, more: object = {}) => ({
  type: 'mqtt',
  name: 'one',
  options: {
    endpoint,
    basicAuthentication: { username: 'me', password },
    publishTopic: ['a'],
    ...more,
  },
});
const post = (url: string, authenticationOptions: object, security: object = {}) => ({
  type: 'httpPost',
  name: 'one',
  options: {
    URL: url,
    security: { authenticationType: 'BASIC', authenticationOptions, ...security },
  },
});
const config = (...connections: object[]) => ({
  'READER-GATEWAY': { endpointConfig: { data: { event: { connections } } } },
});

t.test('one reader', async (t) => {
  const reader = await TestReader.start(t);
  t.teardown(() => reader.gateway.stop());
  const seen: (string | undefined)[] = [];
  const thief = createServer((request, response) => {
    seen.push(request.headers.authorization);
    response.end();
  });
  const thiefPort = await listen(t, thief);
  const set = (...connections: object[]) => reader.call('PUT', 'config', config(...connections));
  const stored = async () => {
    const { json } = await reader.call('GET', 'config');
    return json['READER-GATEWAY'].endpointConfig.data.event.connections;
  };
  const broker = { hostName: 'broker.invalid', port: 8883, protocol: 'ssl' };

  for (const [name, before, after, field] of [
    [
      'another host of a broker',
      mqtt(broker, SECRET),
      mqtt({ ...broker, hostName: '127.0.0.1' }, MASK),
      /basicAuthentication\.password: is the mask/,
    ],
    [
      'another port of a broker',
      mqtt(broker, SECRET),
      mqtt({ ...broker, port: 8884 }, MASK),
      /basicAuthentication\.password/,
    ],
    [
      'a broker in the clear',
      mqtt(broker, SECRET),
      mqtt({ ...broker, protocol: 'tcp' }, MASK),
      /basicAuthentication\.password/,
    ],
    [
      'a broker that need not prove itself',
      mqtt(broker, SECRET),
      mqtt(broker, MASK, { security: { verifyPeer: false } }),
      /basicAuthentication\.password/,
    ],
    [
      'another host of a web server',
      post('https://server.invalid/a', { username: 'me', password: SECRET }),
      post(`http://127.0.0.1:${thiefPort}/a`, { username: 'me', password: MASK }),
      /authenticationOptions\.password: is the mask/,
    ],
    [
      'another host for a token',
      post('https://server.invalid/a', { token: SECRET }, { authenticationType: 'BEARER' }),
      post(`http://127.0.0.1:${thiefPort}/a`, { token: MASK }, { authenticationType: 'BEARER' }),
      /authenticationOptions\.token: is the mask/,
    ],
    [
      'another host behind a login in the URL',
      post(`https://me:${SECRET}@server.invalid/a`, {}, { authenticationType: 'NONE' }),
      post(`http://me:${MASK}@127.0.0.1:${thiefPort}/a`, {}, { authenticationType: 'NONE' }),
      /options\.URL: holds the mask/,
    ],
  ] as const) {
    t.test(`refused: ${name}`, async (t) => {
      t.equal((await set(before)).status, 200);
      const unchanged = await stored();
      t.notOk(JSON.stringify(unchanged).includes(SECRET), 'the configuration shows a mask');
      const answer = await set(after);
      t.equal(answer.status, 400);
      t.match(answer.json.message, field);
      t.notOk(answer.text.includes(SECRET));
      t.same(await stored(), unchanged);
      const tested = await reader.call('POST', 'testConnection', after);
      t.equal(tested.status, 400, 'a test of it, too');
      t.match(tested.json.message, field);
      t.equal((await set(...unchanged)).status, 200, 'as it was it can be sent back');
    });
  }

  t.test('with the secret itself another address can be set', async (t) => {
    await set(mqtt(broker, SECRET));
    t.equal((await set(mqtt({ ...broker, hostName: 'other.invalid' }, 'new'))).status, 200);
  });

  t.test('what does not move the secret can be changed with the mask', async (t) => {
    await set(mqtt(broker, SECRET, { security: { verifyPeer: false } }));
    t.equal((await set(mqtt(broker, MASK, { publishTopic: ['b'] }))).status, 200);
    await set(post('https://server.invalid/a', { username: 'me', password: SECRET }));
    const moved = post('https://server.invalid/b', { username: 'me', password: MASK });
    t.equal((await set(moved)).status, 200, 'another path of the same server');
  });

  t.test('the other server was never told anything', async (t) => {
    t.same(seen, []);
  });
});
