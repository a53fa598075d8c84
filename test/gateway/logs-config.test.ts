/** What is logged: set at both doors, told to the radio, kept over restarts. */
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { LogLevel } from '../../src/contract/messages.js';
import { FakeRadio } from './fake-radio.js';
import {
  Listener,
  logFilesOf,
  radioTarget,
  TestBroker,
  TestReader,
  temporaryFolder,
  until,
} from './reader.js';

const levels = (radio_control: string, cloud_agent: string) => [
  { componentName: 'radio_control', level: radio_control },
  { componentName: 'cloud_agent', level: cloud_agent },
];

t.test('the factory setting: INFO, and no packets', async (t) => {
  const reader = await TestReader.start(t);
  t.teardown(() => reader.gateway.stop());
  const { status, json } = await reader.call('GET', 'logs');
  t.equal(status, 200);
  t.same(json, { radioPacketLog: false, components: levels('INFO', 'INFO') });
  t.same(reader.radio.logLevels, [], 'a radio keeps the level it was started with');
});

t.test('a level counts at once, for the gateway and for the radio', async (t) => {
  const stateDir = temporaryFolder(t);
  const logFiles = logFilesOf(t, stateDir);
  const reader = await TestReader.start(t, { stateDir, logFiles });
  t.teardown(() => reader.gateway.stop());
  const set = await reader.call('PUT', 'logs', { components: levels('DEBUG', 'OFF') });
  t.equal(set.status, 200);
  t.equal(set.text, '');
  t.same(reader.radio.logLevels, [LogLevel.LOG_LEVEL_DEBUG]);
  // A purge is logged, as information.
  await reader.call('DELETE', 'logs/RgErrorLog');
  await reader.call('PUT', 'logs', {
    components: [{ componentName: 'reader_gateway', level: 'INFO' }],
  });
  await reader.call('DELETE', 'logs/RgWarningLog');
  await logFiles.flush();
  const text = readFileSync(join(stateDir, 'logs', 'reader_gateway.info.log'), 'utf8');
  t.match(text, /RgWarningLog/);
  t.notMatch(text, /RgErrorLog/, 'OFF is silent');
  const { json } = await reader.call('GET', 'logs');
  t.same(json.components, levels('DEBUG', 'INFO'), 'the other component stays as it was set');
});

t.test('a radio service that starts again is told again, also by another gateway', async (t) => {
  const stateDir = temporaryFolder(t);
  const reader = await TestReader.start(t, { stateDir });
  const change = {
    radioPacketLog: true,
    components: [{ componentName: 'radio_control', level: 'ERROR' }],
  };
  t.equal((await reader.call('PUT', 'logs', change)).status, 200);
  reader.radio.kill();
  const second = new FakeRadio();
  await second.listen(radioTarget(stateDir));
  await until('told', () => second.packetLogs.length > 0 && second.logLevels.length > 0);
  t.same(second.packetLogs, [true]);
  t.same(second.logLevels, [LogLevel.LOG_LEVEL_ERROR]);
  await reader.gateway.stop();
  second.kill();

  const third = new FakeRadio();
  await third.listen(radioTarget(stateDir));
  t.teardown(() => third.kill());
  const later = await TestReader.start(t, { stateDir, radio: third });
  t.teardown(() => later.gateway.stop());
  await until('told', () => third.packetLogs.length > 0 && third.logLevels.length > 0);
  t.same(third.packetLogs, [true]);
  t.same((await later.call('GET', 'logs')).json, {
    radioPacketLog: true,
    components: levels('ERROR', 'INFO'),
  });
});

t.test('with the radio away a setting is kept for when it comes', async (t) => {
  const stateDir = temporaryFolder(t);
  const away = new FakeRadio();
  const reader = await TestReader.start(t, { stateDir, radio: away });
  t.teardown(() => reader.gateway.stop());
  const set = await reader.call('PUT', 'logs', {
    radioPacketLog: true,
    components: levels('WARNING', 'ERROR'),
  });
  t.equal(set.status, 200);
  await away.listen(radioTarget(stateDir));
  t.teardown(() => away.kill());
  await until('told', () => away.packetLogs.length > 0 && away.logLevels.length > 0);
  t.same(away.logLevels, [LogLevel.LOG_LEVEL_WARNING]);
});

t.test('bad input names the field and what is allowed; nothing is half applied', async (t) => {
  const reader = await TestReader.start(t);
  t.teardown(() => reader.gateway.stop());
  const cases: [unknown, RegExp][] = [
    [{ radioPacketLog: 'yes' }, /radioPacketLog: "yes" is not true or false/],
    [
      { components: [{ componentName: 'radio_control', level: 'TRACE' }] },
      /components\[0\]\.level: "TRACE" is not one of OFF, FATAL, ERROR, WARNING, INFO, DEBUG/,
    ],
    [
      { components: [{ componentName: 'kernel', level: 'INFO' }] },
      /components\[0\]\.componentName: "kernel" is not one of radio_control, cloud_agent, reader_gateway/,
    ],
    [{ components: [{ componentName: 'cloud_agent' }] }, /components\[0\]\.level: is required/],
    [
      {
        radioPacketLog: true,
        components: [
          { componentName: 'cloud_agent', level: 'INFO' },
          { componentName: 'reader_gateway', level: 'DEBUG' },
        ],
      },
      /components\[1\]\.componentName: cloud_agent has its level in components\[0\] already/,
    ],
  ];
  for (const [body, message] of cases) {
    const { status, json } = await reader.call('PUT', 'logs', body);
    t.equal(status, 400);
    t.equal(json.code, 1);
    t.match(json.message, message);
  }
  reader.radio.refusesPackets = 'this radio module has no packet log';
  const refused = await reader.call('PUT', 'logs', {
    radioPacketLog: true,
    components: levels('DEBUG', 'DEBUG'),
  });
  t.equal(refused.status, 400);
  t.match(refused.json, { code: 3, message: 'this radio module has no packet log' });
  t.same((await reader.call('GET', 'logs')).json, {
    radioPacketLog: false,
    components: levels('INFO', 'INFO'),
  });
  t.same(reader.radio.logLevels, []);
  t.same(reader.radio.packetLogs, []);
});

t.test('a setting that cannot be stored is not in force', async (t) => {
  const reader = await TestReader.start(t);
  t.teardown(() => reader.gateway.stop());
  // A folder in the place of the file.
  mkdirSync(join(reader.stateDir, 'logs.json', 'x'), { recursive: true });
  const change = { radioPacketLog: true, components: levels('DEBUG', 'DEBUG') };
  t.equal((await reader.call('PUT', 'logs', change)).status, 500);
  t.same(reader.radio.packetLogs, [], 'nor told to the radio');
  t.same(reader.radio.logLevels, []);
  const { json } = await reader.call('GET', 'logs');
  t.same(json, { radioPacketLog: false, components: levels('INFO', 'INFO') });
});

t.test('the same over MQTT', async (t) => {
  const broker = new TestBroker();
  await broker.start();
  t.teardown(() => broker.stop());
  const listener = new Listener(broker.url);
  t.teardown(() => listener.client.endAsync(true));
  const reader = await TestReader.start(t, { broker });
  t.teardown(() => reader.gateway.stop());
  await until('subscribed', () => listener.subscribed);
  await until('command connections', () =>
    reader.endpoints.some((one) => one.interface === 'management' && one.state === 'connected'),
  );
  const ask = async (command: string, payload: object) => {
    listener.client.publish(
      'singulate/m-req',
      JSON.stringify({ command, command_id: command, payload }),
    );
    await until(command, () =>
      listener.on('singulate/m-res').some(({ json }) => json.command_id === command),
    );
    return listener.on('singulate/m-res').find(({ json }) => json.command_id === command)?.json;
  };
  t.match(
    await ask('set_logs', { components: [{ componentName: 'radio_control', level: 'FATAL' }] }),
    {
      response: 'success',
      payload: {},
    },
  );
  t.same((await ask('get_logs', {})).payload.components, levels('FATAL', 'INFO'));
});
