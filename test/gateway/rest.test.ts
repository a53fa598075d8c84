/** The REST door: login, errors, operations. */
import { existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { connect, type PeerCertificate } from 'node:tls';
import t from 'tap';
import { ReaderCapabilities } from '../../src/reader-gateway/api/capabilities.js';
import { Status } from '../../src/reader-gateway/api/status.js';
import { assertValid } from '../../src/reader-gateway/api/validate.js';
import { Version } from '../../src/reader-gateway/api/version.js';
import { LoginAttempts } from '../../src/reader-gateway/auth/attempts.js';
import { ensureLogin, LoginStore, newLogin } from '../../src/reader-gateway/auth/login-store.js';
import { basic, PASSWORD, send, TestReader, temporaryFolder } from './reader.js';

t.test('one reader', async (t) => {
  const reader = await TestReader.start(t);
  t.teardown(() => reader.gateway.stop());
  const url = reader.gateway.restUrl;

  t.test('a login gives a JWT of three parts with code 0', async (t) => {
    const { status, json } = await reader.login();
    t.equal(status, 200);
    t.equal(json.code, 0);
    t.equal(json.message.split('.').length, 3);
  });

  t.test('a login without or with wrong credentials is refused with an error body', async (t) => {
    const none = await send(url, 'GET', '/cloud/localRestLogin');
    t.equal(none.status, 401);
    t.type(none.json.code, 'number');
    for (const headers of [basic('admin', 'wrong'), basic('root', PASSWORD)]) {
      const wrong = await send(url, 'GET', '/cloud/localRestLogin', { headers });
      t.equal(wrong.status, 401);
      t.match(wrong.json, { code: 2, message: /wrong user name or password/ });
    }
  });

  t.test('a request without or with a bad token is refused', async (t) => {
    const { json } = await reader.login();
    const forged = `${json.message.slice(0, -4)}AAAA`;
    for (const authorization of ['', 'Bearer nonsense', `Bearer ${forged}`, 'Basic YTpi']) {
      const headers = authorization === '' ? {} : { authorization };
      const answer = await send(url, 'GET', '/cloud/version', { headers });
      t.equal(answer.status, 401, authorization);
      t.match(answer.json, { code: 2, message: String });
    }
  });

  t.test('an unknown path gives the HTML Not Found page with the path escaped', async (t) => {
    const { status, text, headers } = await send(url, 'GET', '/cloud/<b>no"thing');
    t.equal(status, 404);
    t.match(headers['content-type'], /^text\/html/);
    t.match(text, /<!DOCTYPE HTML PUBLIC "-\/\/IETF\/\/DTD HTML 2\.0\/\/EN">/);
    t.match(text, /<title>404 Not Found<\/title>[\s\S]*<h1>Not Found<\/h1>/);
    t.match(text, /The requested URL \S+ was not found on this server\./);
    t.notMatch(text, /<b>/);
    t.equal((await send(url, 'GET', '/')).status, 404);
  });

  t.test('a wrong method on a known path is refused and the right ones are named', async (t) => {
    const answer = await reader.call('DELETE', 'mode');
    t.equal(answer.status, 405);
    t.equal(answer.headers.allow, 'GET, PUT, POST');
    t.match(answer.json, { code: 6, message: /allowed: GET, PUT, POST/ });
  });

  t.test('a body is JSON whatever its content type', async (t) => {
    const { json } = await reader.login();
    const token = { authorization: `Bearer ${json.message}` };
    for (const type of ['application/json', 'text/json', 'text/plain', undefined]) {
      const headers = type === undefined ? token : { ...token, 'content-type': type };
      const put = await send(url, 'PUT', '/cloud/mode', { headers, body: { type: 'CUSTOM' } });
      t.equal(put.status, 200, String(type));
      t.equal(put.text, '');
    }
    const bad = await send(url, 'PUT', '/cloud/mode', { headers: token, body: '{"type":' });
    t.match(bad, { status: 400, json: { code: 1, message: /not JSON/ } });
    const big = await send(url, 'PUT', '/cloud/config', {
      headers: token,
      body: { xml: 'x'.repeat(1_100_000) },
    });
    t.match(big, { status: 413, json: { code: 8 } });
    for (const body of ['[]', '7', '"text"']) {
      t.match(await send(url, 'PUT', '/cloud/mode', { headers: token, body }), {
        status: 400,
        json: { code: 1, message: /is not an object|only supports object/ },
      });
    }
  });

  t.test('version, status and capabilities have the documented shape', async (t) => {
    const version = await reader.call('GET', 'version');
    t.doesNotThrow(() => assertValid(Version, version.json));
    t.match(version.json, { radioFirmware: '9.8.7', radioControlApplication: '0.1.0-fake' });
    const status = await reader.call('GET', 'status');
    t.doesNotThrow(() => assertValid(Status, status.json));
    t.match(status.json, {
      radioConnection: 'connected',
      radioActivitiy: 'inactive',
      radioActivity: 'inactive',
      antennas: { 1: 'connected', 4: 'connected' },
      uptime: /^\d+ days \d\d:\d\d:\d\d$/,
      systemTime: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d$/,
    });
    const capabilities = await reader.call('GET', 'readerCapabilities');
    t.doesNotThrow(() => assertValid(ReaderCapabilities, capabilities.json));
    t.same(capabilities.json.capabilities.antennas[3], { port: 4, type: 'EXTERNAL' });
  });

  t.test('the mode comes back in the shape it was set, and whole with verbose', async (t) => {
    t.equal((await reader.call('PUT', 'mode', { type: 'SIMPLE' })).status, 200);
    t.same((await reader.call('GET', 'mode')).json, { type: 'SIMPLE' });
    const mode = { type: 'INVENTORY', antennas: [2], transmitPower: [25.5] };
    t.equal((await reader.call('PUT', 'mode', mode)).status, 200);
    t.same((await reader.call('GET', 'mode', { verbose: false })).json, mode);
    const { json } = await reader.call('GET', 'mode', { verbose: true });
    t.same(json, {
      ...mode,
      environment: 'HIGH_INTERFERENCE',
      antennaStopCondition: { type: 'SINGLE_INVENTORY_LIMITED_DURATION', value: 1000 },
      query: { tagPopulation: 1, sel: 'ALL', session: 'S1', target: 'A' },
      tagMetaData: ['ANTENNA', 'RSSI', 'SEEN_COUNT'],
      delayBetweenAntennaCycles: { type: 'NO_TAGS', duration: 75 },
      inventorySettings: { interval: { value: 1, unit: 'minutes' } },
    });
    t.equal((await reader.call('PUT', 'mode', json)).status, 200, 'the whole mode can be set');
  });

  t.test('a wrong mode changes nothing and every wrong field is named', async (t) => {
    await reader.call('PUT', 'mode', { type: 'SIMPLE' });
    const answer = await reader.call('PUT', 'mode', {
      type: 'SIMPLE',
      antennas: [1, 2],
      transmitPower: [20, 45],
      rssiFilter: { threshold: -60 },
    });
    t.equal(answer.status, 400);
    t.equal(answer.json.code, 1);
    t.match(answer.json.message, /transmitPower\[1\]: 45 is above the radio's maximum of 30/);
    t.match(answer.json.message, /rssiFilter: this reader has no RSSI filter/);
    t.same((await reader.call('GET', 'mode')).json, { type: 'SIMPLE' });
  });

  t.test('a mode that only the radio can refuse is refused when it is set', async (t) => {
    reader.radio.refuses = 'id_filter.value: too slow';
    const answer = await reader.call('PUT', 'mode', { type: 'CUSTOM' });
    reader.radio.refuses = '';
    t.equal(answer.status, 400);
    t.match(answer.json.message, /id_filter\.value: too slow/);
    t.same((await reader.call('GET', 'mode')).json, { type: 'SIMPLE' });
  });

  t.test('names of public clients are taken, and come back', async (t) => {
    const mode = {
      type: 'PORTAL',
      filter: { match: 'suffix', value: '0a' },
      accesses: [{ type: 'READ', config: { membank: 'TID', wordPointer: 0, wordCounter: 2 } }],
      modeSpecificSettings: { stopInterval: 5 },
    };
    t.equal((await reader.call('PUT', 'mode', mode)).status, 200);
    t.same((await reader.call('GET', 'mode')).json, mode);
    const { json } = await reader.call('GET', 'mode', { verbose: true });
    t.match(json, {
      ...mode,
      modeSpecificSettings: { startTrigger: { port: 1, signal: 'LOW' }, stopInterval: 5 },
    });
    t.notOk('portalSettings' in json || 'access' in json || 'tagIdFilter' in json);
    t.equal((await reader.call('PUT', 'mode', json)).status, 200, 'the whole mode can be set');
    await reader.call('PUT', 'mode', { type: 'SIMPLE' });
  });

  t.test('POST checks a mode and sets nothing', async (t) => {
    const wrong = await reader.call('POST', 'mode', { type: 'SIMPLE', delayAfterSelects: 99 });
    t.equal(wrong.status, 400);
    t.match(wrong.json.message, /delayAfterSelects: 99 is above the maximum of 65/);
    const right = await reader.call('POST', 'mode', { type: 'CUSTOM' });
    t.equal(right.status, 200);
    t.equal(right.json.type, 'CUSTOM');
    t.same((await reader.call('GET', 'mode')).json, { type: 'SIMPLE' });
  });

  t.test('start and stop reach the radio; starting twice is no error', async (t) => {
    const { radio } = reader;
    const before = radio.starts.length;
    t.match(await reader.call('PUT', 'start'), { status: 200, text: '' });
    t.ok(radio.isReading);
    t.equal(radio.owner, 'reader-gateway');
    t.equal((await reader.call('PUT', 'start', { doNotPersistState: true })).status, 200);
    t.equal(radio.starts.length, before + 1);
    t.match((await reader.call('GET', 'status')).json, { radioActivitiy: 'active' });
    t.match(await reader.call('PUT', 'stop', ''), { status: 200, text: '' });
    t.notOk(radio.isReading);
    t.equal((await reader.call('PUT', 'start', { doNotPersistState: 'yes' })).status, 400);
  });

  t.test('a mode that is set while reading holds at once', async (t) => {
    const { radio } = reader;
    await reader.call('PUT', 'start');
    const { stops } = radio;
    await reader.call('PUT', 'mode', { type: 'SIMPLE', antennas: [3] });
    t.equal(radio.stops, stops, 'without a stop');
    t.same(
      radio.changes.at(-1)?.antennas?.map(({ port }) => port),
      [3],
    );
    t.ok(radio.isReading);
    await reader.call('PUT', 'stop');
  });

  t.test('a radio that someone else uses is not taken from them', async (t) => {
    reader.radio.takenBy('line application');
    const answer = await reader.call('PUT', 'start');
    t.equal(answer.status, 400);
    t.match(answer.json, { code: 3, message: /the radio is in use by line application/ });
    t.equal((await reader.call('PUT', 'stop')).status, 200);
    t.equal((await reader.call('PUT', 'start')).status, 200);
    await reader.call('PUT', 'stop');
  });

  t.test('the certificate is for this machine and stays the same', async (t) => {
    const { port } = new URL(url);
    const certificate = await new Promise<PeerCertificate>((resolve, reject) => {
      const socket = connect({ port: Number(port), host: '127.0.0.1', rejectUnauthorized: false });
      socket.on('secureConnect', () => {
        resolve(socket.getPeerCertificate());
        socket.destroy();
      });
      socket.on('error', reject);
    });
    t.match(certificate.subjectaltname, /DNS:localhost.*IP Address:127\.0\.0\.1/);
    t.equal((await stat(join(reader.stateDir, 'tls', 'key.pem'))).mode & 0o077, 0);
  });

  t.test('many failed logins are stopped for a while', async (t) => {
    let answer = await send(url, 'GET', '/cloud/localRestLogin', { headers: basic('a', 'b') });
    const tries = Array.from({ length: 6 }, () =>
      send(url, 'GET', '/cloud/localRestLogin', { headers: basic('a', 'b') }),
    );
    await Promise.all(tries);
    for (let i = 0; i < 4; i++) {
      answer = await send(url, 'GET', '/cloud/localRestLogin', { headers: basic('a', 'b') });
    }
    t.equal(answer.status, 429);
    t.match(answer.json, { code: 7, message: /too many failed logins/ });
    t.ok(Number(answer.headers['retry-after']) > 0);
    t.equal((await reader.login()).status, 429, 'the right password as well');
    t.equal((await reader.call('GET', 'version')).status, 200, 'tokens go on');
  });
});

t.test('failed logins are forgotten after a minute, by address', async (t) => {
  const attempts = new LoginAttempts();
  for (let i = 0; i < 10; i++) attempts.failed('a', 1000);
  t.equal(attempts.blockedFor('a', 1000), 60);
  t.equal(attempts.blockedFor('b', 1000), 0);
  t.equal(attempts.blockedFor('a', 61_001), 0);
});

t.test('a login is made once; a given password replaces it', async (t) => {
  const folder = temporaryFolder(t);
  const first = await ensureLogin(folder);
  t.equal(first.user, 'admin');
  t.match(first.newPassword, /^([a-z2-9]{5}-){3}[a-z2-9]{5}$/);
  t.same(await ensureLogin(folder), { user: 'admin' });
  const text = await readFile(join(folder, 'auth.json'), 'utf8');
  t.notMatch(text, first.newPassword ?? '');
  t.same(await ensureLogin(folder, 'a password of mine'), { user: 'admin' });
  const changed = await readFile(join(folder, 'auth.json'), 'utf8');
  t.not(changed, text);
  await ensureLogin(folder, 'a password of mine');
  t.equal(await readFile(join(folder, 'auth.json'), 'utf8'), changed, 'the same password again');
});

t.test(
  'a given password keeps to the rule of a change; an old one that is shorter stays',
  async (t) => {
    const folder = temporaryFolder(t);
    for (const password of ['secret', 'x'.repeat(129), 'line\nbreak in it']) {
      await t.rejects(ensureLogin(folder, password), {
        code: 'CONFIG',
        message:
          'the given password for admin is not right; allowed: 8 to 128 characters, none of them a control character',
      });
    }
    t.notOk(existsSync(join(folder, 'auth.json')));
    await ensureLogin(folder);
    await (await LoginStore.load(folder)).save(await newLogin('old'));
    t.same(await ensureLogin(folder, 'old'), { user: 'admin' });
    await t.rejects(ensureLogin(folder, 'new'), { code: 'CONFIG' });
  },
);
