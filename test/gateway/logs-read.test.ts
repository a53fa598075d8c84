/** Logs are fetched and purged over REST and MQTT. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { MAX_FILE_BYTES } from '../../src/reader-gateway/mqtt/file-payload.js';
import { Listener, logFilesOf, TestBroker, TestReader, temporaryFolder, until } from './reader.js';

const at = (ms: number, msg: string, level = 'info') =>
  `${JSON.stringify({ level, time: new Date(1_700_000_000_000 + ms).toISOString(), component: 'radio_control', msg })}\n`;

/** A gateway with logs of a radio service that are there already. */
async function readerWithLogs(t: Test, files: Record<string, string>, broker?: TestBroker) {
  const stateDir = temporaryFolder(t);
  mkdirSync(join(stateDir, 'logs'));
  for (const [name, text] of Object.entries(files))
    writeFileSync(join(stateDir, 'logs', name), text);
  const logFiles = logFilesOf(t, stateDir);
  const reader = await TestReader.start(t, { stateDir, logFiles, ...(broker ? { broker } : {}) });
  t.teardown(() => reader.gateway.stop());
  return { reader, stateDir, logs: join(stateDir, 'logs') };
}

const messages = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line).msg);

const RADIO_LOGS = {
  'radio_control.error.log': at(40, 'd', 'fatal'),
  'radio_control.warning.log.1': at(20, 'b', 'warn'),
  'radio_control.warning.log': at(50, 'e', 'warn'),
  'radio_control.info.log.2': at(10, 'a'),
  'radio_control.info.log.1': at(30, 'c'),
  'radio_control.info.log': at(60, 'f'),
};

t.test('a log is its rotated files, the oldest line first', async (t) => {
  const { reader } = await readerWithLogs(t, RADIO_LOGS);
  const info = await reader.call('GET', 'logs/RcInfoLog');
  t.equal(info.status, 200);
  t.equal(info.headers['content-type'], 'application/x-ndjson');
  t.match(info.headers['content-disposition'], /attachment; filename="RcInfoLog\.ndjson"/);
  t.same(messages(info.text), ['a', 'c', 'f']);
  t.same(messages((await reader.call('GET', 'logs/RcWarningLog')).text), ['b', 'e']);
  t.same(messages((await reader.call('GET', 'logs/RcErrorLog')).text), ['d']);
});

t.test('RcLog is all levels in the order of time', async (t) => {
  const { reader } = await readerWithLogs(t, RADIO_LOGS);
  t.same(messages((await reader.call('GET', 'logs/RcLog')).text), ['a', 'b', 'c', 'd', 'e', 'f']);
});

t.test('a log that is empty is empty, and no error', async (t) => {
  const { reader } = await readerWithLogs(t, {});
  for (const type of ['radioPacketLog', 'RcLog', 'RcErrorLog', 'RgErrorLog']) {
    const { status, text } = await reader.call('GET', `logs/${type}`);
    t.equal(status, 200);
    t.equal(text, '', type);
  }
});

t.test('the gateway hands out its own lines up to now', async (t) => {
  const { reader } = await readerWithLogs(t, {});
  reader.radio.kill();
  let lines: string[] = [];
  for (const end = Date.now() + 8000; lines.length === 0 && Date.now() < end; await sleep(20)) {
    lines = messages((await reader.call('GET', 'logs/RgWarningLog')).text);
  }
  t.same(lines, ['radio service lost']);
});

t.test('syslog is an archive of everything, which tar understands', async (t) => {
  const large = at(0, 'x'.repeat(200)).repeat(2000);
  const { reader, stateDir } = await readerWithLogs(t, {
    ...RADIO_LOGS,
    'radio_control.info.log': large,
  });
  const { status, headers, bytes } = await reader.call('GET', 'logs/syslog');
  t.equal(status, 200);
  t.equal(headers['content-type'], 'application/gzip');
  t.match(headers['content-disposition'], /syslog\.tar\.gz/);
  const archive = join(stateDir, 'syslog.tar.gz');
  writeFileSync(archive, bytes);
  const tar = (...args: string[]) =>
    execFileSync('tar', [...args, '-f', archive], { encoding: 'utf8' });
  const names = tar('-tz').trimEnd().split('\n');
  for (const name of Object.keys(RADIO_LOGS)) t.ok(names.includes(`logs/${name}`), name);
  t.ok(names.includes('logs/reader_gateway.info.log'));
  const whole = execFileSync('tar', ['-xzOf', archive, 'logs/radio_control.info.log'], {
    encoding: 'utf8',
  });
  t.equal(whole, large);
});

t.test('a purge removes a log and leaves the others', async (t) => {
  const { reader, logs } = await readerWithLogs(t, RADIO_LOGS);
  const purged = await reader.call('DELETE', 'logs/RcWarningLog');
  t.equal(purged.status, 200);
  t.equal(purged.text, '');
  t.same(messages((await reader.call('GET', 'logs/RcLog')).text), ['a', 'c', 'd', 'f']);
  await reader.call('DELETE', 'logs/RcLog');
  t.equal((await reader.call('GET', 'logs/RcLog')).text, '');
  t.same(
    readdirSync(logs).filter((name) => name.startsWith('radio_control')),
    [],
  );
  t.equal((await reader.call('DELETE', 'logs/RcLog')).status, 200, 'twice is no error');
});

t.test('a type that is not known, a method that is not allowed, no token', async (t) => {
  const { reader } = await readerWithLogs(t, RADIO_LOGS);
  for (const type of ['RcDebugLog', '..%2f..%2fauth.json', 'radio_control.info.log']) {
    for (const method of ['GET', 'DELETE']) {
      const { status, json } = await reader.call(method, `logs/${type}`);
      t.equal(status, 400, type);
      t.match(
        json.message,
        /logType: ".*" is not one of syslog, radioPacketLog, RcLog, RcErrorLog/,
      );
    }
  }
  const put = await reader.call('PUT', 'logs/syslog');
  t.equal(put.status, 405);
  t.equal(put.headers.allow, 'GET, DELETE');
  t.equal((await reader.call('GET', 'logs/syslog/1')).status, 404);
  const { paths } = (await reader.call('GET', 'openapi.json')).json;
  t.match(paths['/cloud/logs/{logType}'].get.parameters, [
    { name: 'logType', in: 'path', required: true },
  ]);
  t.notOk(paths['/cloud/logs/{logType}'].get.requestBody);
  t.ok(paths['/cloud/logs/{logType}'].get.responses[200].content['application/gzip']);
});

t.test('over MQTT a log is base64, and the newest lines of a long one', async (t) => {
  const broker = new TestBroker();
  await broker.start();
  t.teardown(() => broker.stop());
  const listener = new Listener(broker.url);
  t.teardown(() => listener.client.endAsync(true));
  // Random, so that the archive is large as well.
  const long = Array.from({ length: 3000 }, (_, i) =>
    at(i, `${i} ${Array.from({ length: 12 }, () => Math.random())}`),
  ).join('');
  const { reader } = await readerWithLogs(
    t,
    { ...RADIO_LOGS, 'radio_control.info.log': long },
    broker,
  );
  await until('subscribed', () => listener.subscribed);
  await until('command connections', () =>
    reader.endpoints.some((one) => one.interface === 'management' && one.state === 'connected'),
  );
  let id = 0;
  const ask = async (command: string, payload: object) => {
    const command_id = String(++id);
    listener.client.publish('singulate/m-req', JSON.stringify({ command, command_id, payload }));
    const answer = () =>
      listener.on('singulate/m-res').find(({ json }) => json.command_id === command_id);
    await until(command, answer);
    return answer()?.json;
  };
  const content = (payload: { content: string }) =>
    Buffer.from(payload.content, 'base64').toString();

  const short = await ask('get_logs_syslog', { logType: 'RcWarningLog' });
  t.match(short, {
    response: 'success',
    payload: {
      fileName: 'RcWarningLog.ndjson',
      contentType: 'application/x-ndjson',
      encoding: 'base64',
      truncated: false,
    },
  });
  t.same(messages(content(short.payload)), ['b', 'e']);

  const cut = await ask('get_logs_syslog', { logType: 'RcInfoLog' });
  t.equal(cut.payload.truncated, true);
  const text = content(cut.payload);
  t.ok(long.endsWith(text), 'the end of the log, from the beginning of a line');
  t.ok(text.startsWith('{"level"'));
  t.ok(text.length <= MAX_FILE_BYTES && text.length > MAX_FILE_BYTES - 1000, `${text.length}`);

  const tooLarge = await ask('get_logs_syslog', { logType: 'syslog' });
  t.match(tooLarge, {
    response: 'failure',
    payload: { code: 3, message: /above the 90 KiB .* fetch it over REST/ },
  });
  t.same((await ask('get_logs_syslog', {})).payload, tooLarge.payload, 'without a type: syslog');

  t.match(await ask('del_logs_syslog', { logType: 'syslog' }), {
    response: 'success',
    payload: {},
  });
  const archive = await ask('get_logs_syslog', { logType: 'syslog' });
  t.match(archive, {
    response: 'success',
    payload: { fileName: 'syslog.tar.gz', contentType: 'application/gzip' },
  });
  t.same([...Buffer.from(archive.payload.content, 'base64').subarray(0, 2)], [0x1f, 0x8b]);
});
