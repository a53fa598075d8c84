/** Another password: rules, and the end of everything that the one before had opened. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { WebSocket } from 'ws';
import {
  basic,
  Listener,
  PASSWORD,
  send,
  TestBroker,
  TestReader,
  until,
} from '../gateway/reader.js';
import { bearer, HttpStream } from '../gateway/streams.js';

const NEW = 'an:other pässword';

t.test('a new password ends every token, stream and WebSocket of the old one', async (t) => {
  const reader = await TestReader.start(t);
  t.teardown(() => reader.gateway.stop());
  const url = reader.gateway.restUrl;
  const login = (password: string) =>
    send(url, 'GET', '/cloud/localRestLogin', { headers: basic('admin', password) });
  const { message: token } = (await reader.login()).json;
  const ndjson = await HttpStream.open(t, reader, '/cloud/events', bearer(token));
  const sse = await HttpStream.open(t, reader, `/cloud/events?access_token=${token}`, {
    accept: 'text/event-stream',
  });
  const socket = new WebSocket(`${url.replace('https', 'wss')}/ws?access_token=${token}`, {
    rejectUnauthorized: false,
  });
  t.teardown(() => socket.terminate());
  let closeCode = 0;
  socket.on('close', (code) => {
    closeCode = code;
  });
  await until('the WebSocket is open', () => socket.readyState === socket.OPEN);

  const change = { userName: 'admin', currentPassword: PASSWORD, newPassword: NEW };
  const answer = await reader.call('PUT', 'updatePassword', change);
  t.match(answer, { status: 200, text: '' });

  t.equal((await reader.call('GET', 'status')).status, 401, 'the token');
  await until('the streams have ended', () => ndjson.hasEnded && sse.hasEnded);
  t.match(ndjson.text, /"type":"CLOSED"/);
  t.match(ndjson.text, /the password was changed/);
  await until('the WebSocket is closed', () => closeCode !== 0);
  t.equal(closeCode, 1008);
  t.equal((await login(PASSWORD)).status, 401, 'the old password');
  const again = await login(NEW);
  t.equal(again.status, 200, 'the new password');
  const headers = bearer(again.json.message);
  t.equal((await send(url, 'GET', '/cloud/status', { headers })).status, 200, 'the new token');
  const stored = readFileSync(join(reader.stateDir, 'auth.json'), 'utf8');
  t.notOk(stored.includes(NEW), 'it is stored as a hash');

  await reader.gateway.stop();
  const next = await TestReader.start(t, {
    stateDir: reader.stateDir,
    radio: reader.radio,
    keepsLogin: true,
  });
  t.teardown(() => next.gateway.stop());
  const { restUrl } = next.gateway;
  t.equal(
    (await send(restUrl, 'GET', '/cloud/status', { headers })).status,
    200,
    'after a restart',
  );
  t.equal(
    (await send(restUrl, 'GET', '/cloud/status', { headers: bearer(token) })).status,
    401,
    'the old token stays worth nothing',
  );
});

t.test('a wrong request is refused, and nothing changes', async (t) => {
  const reader = await TestReader.start(t);
  t.teardown(() => reader.gateway.stop());
  const right = { userName: 'admin', currentPassword: PASSWORD, newPassword: NEW };
  const change = (more: object) => reader.call('PUT', 'updatePassword', { ...right, ...more });

  for (const [name, more, message] of [
    ['too short', { newPassword: 'short-7' }, /newPassword: is shorter than 8 characters/],
    ['too long', { newPassword: 'x'.repeat(129) }, /newPassword: is longer than 128 characters/],
    [
      'a control character',
      { newPassword: 'with\nline feed' },
      /newPassword: .* control characters/,
    ],
    ['a number', { newPassword: 1234567890 }, /newPassword: .* is not a text/],
    ['the same again', { newPassword: PASSWORD }, /newPassword: is the current password/],
    ['no name', { userName: undefined }, /userName: is required/],
    ['a list', { currentPassword: [PASSWORD] }, /currentPassword: .* is not a text/],
  ] as const) {
    const { status, json, text } = await change(more);
    t.equal(status, 400, name);
    t.equal(json.code, 1);
    t.match(json.message, message);
    for (const secret of [PASSWORD, 'short-7', 'line feed', '1234567890', 'xxxx']) {
      t.notOk(text.includes(secret), `${name}: the answer repeats no password`);
    }
  }
  const noToken = await send(reader.gateway.restUrl, 'PUT', '/cloud/updatePassword', {
    body: right,
  });
  t.equal(noToken.status, 401, 'without a token');
  t.equal((await reader.login()).status, 200, 'the password is as it was');

  for (const more of [{ currentPassword: 'wrong' }, { userName: 'root' }]) {
    const { status, json } = await change(more);
    t.match(
      { status, json },
      { status: 401, json: { code: 2, message: /userName or currentPassword/ } },
    );
  }
  for (let i = 0; i < 8; i++) await change({ currentPassword: 'wrong' });
  const blocked = await change({});
  t.equal(blocked.status, 429, 'wrong passwords count as failed logins');
  t.ok(Number(blocked.headers['retry-after']) > 0);
  t.equal((await reader.login()).status, 429, 'and block logins');
});

t.test('of two changes at a time the second has the wrong password', async (t) => {
  const reader = await TestReader.start(t);
  t.teardown(() => reader.gateway.stop());
  await reader.call('GET', 'version');
  const change = (newPassword: string) =>
    reader.call('PUT', 'updatePassword', {
      userName: 'admin',
      currentPassword: PASSWORD,
      newPassword,
    });
  const answers = await Promise.all([change('first password'), change('second password')]);
  t.same(answers.map(({ status }) => status).sort(), [200, 401]);
});

t.test('the same over MQTT, where all wrong ones count together', async (t) => {
  const broker = new TestBroker();
  await broker.start();
  t.teardown(() => broker.stop());
  const reader = await TestReader.start(t, { broker });
  t.teardown(() => reader.gateway.stop());
  const listener = new Listener(broker.url);
  t.teardown(() => listener.client.end(true));
  await until('the listener and the command connections', () => {
    const commands = reader.endpoints.filter((one) =>
      ['control', 'management'].includes(one.interface),
    );
    return (
      listener.subscribed &&
      commands.length === 2 &&
      commands.every(({ state }) => state === 'connected')
    );
  });
  const ask = async (id: string, payload: object) => {
    const message = { command: 'set_update_password', command_id: id, payload };
    listener.client.publish('singulate/m-req', JSON.stringify(message));
    const answers = () =>
      listener.on('singulate/m-res').filter(({ json }) => json.command_id === id);
    await until(`the answer to ${id}`, () => answers().length > 0);
    return answers()[0]?.json;
  };
  const right = { userName: 'admin', currentPassword: PASSWORD, newPassword: NEW };
  t.match(await ask('short', { ...right, newPassword: 'x' }), {
    response: 'failure',
    payload: { code: 1, message: /newPassword/ },
  });
  t.match(await ask('right', right), { response: 'success', payload: {} });
  t.equal((await reader.login()).status, 401, 'the old password');
  for (let i = 0; i < 10; i++) await ask(`wrong ${i}`, right);
  t.match(await ask('blocked', right), { response: 'failure', payload: { code: 7 } });
});
