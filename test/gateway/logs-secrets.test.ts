/** No secret reaches a log: whatever is configured, fails, or is asked for wrongly. */
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import t from 'tap';
import { startRadioControl } from '../oem/radio-control.js';
import { FakeRadio } from './fake-radio.js';
import {
  basic,
  logFilesOf,
  PASSWORD,
  radioTarget,
  send,
  TestBroker,
  TestReader,
  temporaryFolder,
  until,
} from './reader.js';

const SECRETS = {
  broker: 'broker-Pa55word',
  away: 'away-Pa55word',
  commands: 'commands-Pa55word',
  post: 'post-Pa55word',
  token: 'bearer.Token-55',
  url: 'url-Pa55word',
  tested: 'tested-Pa55word',
  login: 'wrong-login-Pa55word',
  typed: 'typed-Pa55word',
  broken: 'broken-Pa55word',
  stream: 'stream.Token-55',
  access: 'c0ffee11',
  write: 'deadbeef',
};

t.test('no secret is in any log of either service', async (t) => {
  const stateDir = temporaryFolder(t);
  const logs = join(stateDir, 'logs');
  const broker = new TestBroker();
  broker.onlyTests = true;
  await broker.start();
  t.teardown(() => broker.stop());
  const refusing = createServer((_request, response) => {
    response.statusCode = 401;
    response.end();
  });
  await new Promise<void>((resolve) => refusing.listen(0, '127.0.0.1', resolve));
  t.teardown(() => refusing.close());
  const { port } = refusing.address() as { port: number };
  await startRadioControl(t, [
    ...['--socket', radioTarget(stateDir).slice('unix:'.length)],
    ...['--log-dir', logs],
  ]);
  const logFiles = logFilesOf(t, stateDir);
  // The radio is a process of its own: this one only fills the place.
  const reader = await TestReader.start(t, { stateDir, logFiles, radio: new FakeRadio() });
  t.teardown(() => reader.gateway.stop());

  const levels = ['radio_control', 'cloud_agent'].map((componentName) => ({
    componentName,
    level: 'DEBUG',
  }));
  await reader.call('PUT', 'logs', { radioPacketLog: true, components: levels });
  const mqtt = (name: string, to: number, password: string, more: object = {}) => ({
    type: 'mqtt',
    name,
    options: {
      endpoint: { hostName: '127.0.0.1', port: to },
      basicAuthentication: { username: 'me', password },
      publishTopic: ['a'],
      ...more,
    },
  });
  const post = (name: string, URL: string, security: object) => ({
    type: 'httpPost',
    name,
    options: { URL, security },
    additionalOptions: { batching: { reportingInterval: 0, maxPayloadSizePerReport: 0 } },
  });
  const closed = 9; // discard: nobody is there
  const set = await reader.call('PUT', 'config', {
    'READER-GATEWAY': {
      endpointConfig: {
        data: {
          event: {
            connections: [
              mqtt('refused', broker.port, SECRETS.broker),
              mqtt('away', closed, SECRETS.away),
              post('basic', `http://127.0.0.1:${port}/`, {
                authenticationType: 'BASIC',
                authenticationOptions: { username: 'me', password: SECRETS.post },
              }),
              post('bearer', `http://127.0.0.1:${closed}/`, {
                authenticationType: 'BEARER',
                authenticationOptions: { token: SECRETS.token },
              }),
              post('url', `http://me:${SECRETS.url}@127.0.0.1:${closed}/`, {}),
            ],
          },
        },
        control: {
          commandResponse: {
            connections: [mqtt('cmd', closed, SECRETS.commands, { subscribeTopic: ['b'] })],
          },
        },
      },
    },
  });
  t.equal(set.status, 200, set.text);
  const mode = {
    type: 'CUSTOM',
    accesses: [
      { type: 'ACCESS', config: { password: SECRETS.access } },
      { type: 'WRITE', config: { membank: 'RESERVED', wordPointer: 0, data: SECRETS.write } },
    ],
  };
  t.equal((await reader.call('PUT', 'mode', mode)).status, 200);
  t.equal((await reader.call('PUT', 'start')).status, 200);

  const url = reader.gateway.restUrl;
  t.equal(
    (await reader.call('POST', 'testConnection', mqtt('t', broker.port, SECRETS.tested))).status,
    200,
  );
  const wrong = basic('admin', SECRETS.login);
  t.equal((await send(url, 'GET', '/cloud/localRestLogin', { headers: wrong })).status, 401);
  t.equal((await send(url, 'GET', `/cloud/events?access_token=${SECRETS.stream}`)).status, 401);
  const bad = mqtt('bad', 0, SECRETS.typed, { additional: { qos: SECRETS.typed } });
  const typed = {
    'READER-GATEWAY': { endpointConfig: { data: { event: { connections: [bad] } } } },
  };
  t.equal((await reader.call('PUT', 'config', typed)).status, 400);
  t.equal(
    (await reader.call('PUT', 'config', `{"password": "${SECRETS.broken}" oops`)).status,
    400,
  );

  await until('all endpoints have failed', () => {
    const all = reader.endpoints.filter(({ interface: kind }) => !kind.startsWith('management'));
    return (
      all.length === 6 && all.every(({ state, error }) => state === 'disconnected' && error !== '')
    );
  });
  const read = (name: string) => readFileSync(join(logs, name), 'utf8');
  const texts = () => readdirSync(logs).map((name) => ({ name, text: read(name) }));
  const packets = () => texts().find(({ name }) => name === 'radio_packets.ndjson')?.text ?? '';
  await until('passwords were on the air', () => /"name":"Access".*"withheld"/.test(packets()));
  await reader.call('PUT', 'stop');
  await logFiles.flush();

  const archive = gunzipSync((await reader.call('GET', 'logs/syslog')).bytes).toString('latin1');
  const all = [...texts(), { name: 'syslog', text: archive }];
  for (const name of [
    'reader_gateway.info.log',
    'radio_control.info.log',
    'radio_packets.ndjson',
  ]) {
    t.ok(
      all.some((one) => one.name === name && one.text.length > 100),
      `${name} was searched`,
    );
    t.ok(archive.includes(`logs/${name}`), `${name} is in the archive`);
  }
  const token = (await reader.login()).json.message as string;
  const encoded = Object.values(SECRETS).flatMap((secret) => [
    secret,
    Buffer.from(secret).toString('base64').replace(/=+$/, ''),
    Buffer.from(`me:${secret}`).toString('base64').replace(/=+$/, ''),
  ]);
  const header = token.split('.')[0] as string;
  for (const secret of [...encoded, PASSWORD, header]) {
    const found = all.filter(({ text }) => text.toLowerCase().includes(secret.toLowerCase()));
    t.same(
      found.map(({ name }) => name),
      [],
      secret,
    );
  }
});
