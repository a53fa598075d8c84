/** A whole update and a revert, by both doors. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { VERSION } from '../../src/shared/package-info.js';
import { Listener, TestBroker, TestReader, until } from './reader.js';
import { FileServer, makeBundle, readDevice, trustSigner } from './updates.js';

t.test('an update and a revert', async (t) => {
  const broker = new TestBroker();
  await broker.start();
  const listener = new Listener(broker.url, '#');
  await until('the listener is there', () => listener.subscribed);
  const reader = await TestReader.start(t, { broker });
  trustSigner(reader.stateDir);
  t.teardown(async () => {
    await reader.gateway.stop();
    listener.client.end(true);
    await broker.stop();
  });
  const untilCommands = () =>
    until('the command connections', () =>
      reader.endpoints.some((one) => one.interface === 'management' && one.state === 'connected'),
    );
  let lastId = 0;
  const ask = async (command: string, payload: object = {}) => {
    // A reboot cuts them.
    await untilCommands();
    const id = `os ${++lastId}`;
    const find = () =>
      listener.messages.find(({ json }) => json.command_id === id && json.response);
    listener.client.publish(
      'singulate/m-req',
      JSON.stringify({ command, command_id: id, payload }),
    );
    await until(`the answer to ${command}`, find);
    return find()?.json;
  };
  const ended = async () => {
    let answer = await reader.call('GET', 'status');
    for (const end = Date.now() + 15_000; answer.status === 202; ) {
      if (Date.now() > end) throw new Error(`the update hangs: ${answer.text}`);
      answer = await reader.call('GET', 'status');
    }
    return answer.json.lastOsUpdate;
  };
  const versions = async () => {
    const { json } = await reader.call('GET', 'version');
    return [json.readerApplication, json.revertBackFirmware.readerApplication];
  };
  const parts = { os: 50_000, rootFileSystem: 300_000 };
  const server = await FileServer.start(t, makeBundle({ version: '7.1.0', parts }));
  const request = { url: server.url, authenticationType: 'NONE' };

  t.test('a factory device has nothing to revert to', async (t) => {
    t.same(await versions(), [VERSION, '']);
    const answer = await reader.call('PUT', 'revertbackOS');
    t.equal(answer.status, 404);
    t.match(answer.json, { code: 5, message: /no other version/ });
    t.match(await ask('set_revertback_os'), { response: 'failure', payload: { code: 5 } });
    t.equal((await reader.call('GET', 'status')).json.lastOsUpdate, undefined);
  });

  t.test('while it runs the status is that of the upgrade, with 202', async (t) => {
    server.holdAfter = 100_000;
    const answer = await reader.call('PUT', 'os', request);
    t.same([answer.status, answer.text], [200, '']);
    let status = await reader.call('GET', 'status');
    while (status.json.imageDownloadProgress === 0) status = await reader.call('GET', 'status');
    t.equal(status.status, 202);
    t.match(status.json, {
      status: 'downloading',
      updateProgressDetails: {
        os: 0,
        rootFileSystem: 0,
        applications: 0,
        radioFirmware: 0,
        platform: 0,
      },
    });
    t.match(await ask('get_status'), { response: 'success', payload: { status: 'downloading' } });
  });

  t.test('there is one update at a time, and no revert beside it', async (t) => {
    for (const [path, body] of [
      ['os', request],
      ['revertbackOS', undefined],
    ] as const) {
      const answer = await reader.call('PUT', path, body);
      t.equal(answer.status, 400, path);
      t.match(answer.json, { code: 3, message: /runs already/ });
    }
    t.match(await ask('set_os', request), { response: 'failure', payload: { code: 3 } });
  });

  t.test('it ends on the new version, with the old one to go back to', async (t) => {
    server.holdAfter = Number.POSITIVE_INFINITY;
    server.breakOff();
    t.match(await ended(), { kind: 'update', status: 'finished', version: '7.1.0', error: '' });
    t.same(await versions(), ['7.1.0', VERSION]);
    t.match(readDevice(reader.stateDir), {
      booted: 'B',
      version: '7.1.0',
      env: { slots: { A: { state: 'good' }, B: { state: 'good' } } },
    });
    t.notOk(existsSync(join(reader.stateDir, 'update', 'download')), 'the bundle is gone');
    t.equal(reader.reboots, 1, 'by one reboot of the emulated device');
    const device = JSON.parse(readFileSync(join(reader.stateDir, 'device.json'), 'utf8'));
    t.equal(device.reboots, 1, 'which the device counts');
  });

  t.test('the progress was told, and only ever grew', async (t) => {
    const states = [...new Set(reader.upgrades.map(({ status }) => status))];
    t.same(states, ['downloading', 'installing', 'rebooting', 'confirming', 'finished']);
    const overall = reader.upgrades.map((one) => one.overallUpdateProgress);
    t.same(
      overall,
      [...overall].sort((a, b) => a - b),
    );
    t.match(reader.upgrades.at(-1), {
      imageDownloadProgress: 100,
      overallUpdateProgress: 100,
      updateProgressDetails: { os: 100, rootFileSystem: 100, applications: 0 },
    });
  });

  t.test('revert goes back, and back again', async (t) => {
    t.equal((await reader.call('PUT', 'revertbackOS')).status, 200);
    t.match(await ended(), { kind: 'revert', status: 'finished', version: VERSION });
    t.same(await versions(), [VERSION, '7.1.0']);
    t.match(await ask('set_revertback_os'), { response: 'success', payload: {} });
    await ended();
    t.same(await versions(), ['7.1.0', VERSION]);
  });

  t.test('by MQTT: the next version goes to the slot that does not run', async (t) => {
    server.content = makeBundle({ version: '7.2.0' });
    server.etag = '"next"';
    t.match(await ask('set_os', request), { response: 'success', payload: {} });
    t.match(await ended(), { status: 'finished', version: '7.2.0' });
    t.same(await versions(), ['7.2.0', '7.1.0']);
  });

  t.test('credentials are used, and are nowhere afterwards', async (t) => {
    server.content = makeBundle({ version: '7.3.0' });
    server.etag = '"auth"';
    const secret = {
      options: { username: 'me', password: 'the secret' },
      headers: { 'x-k': 'key' },
    };
    const body = { ...request, authenticationType: 'BASIC', ...secret };
    t.equal((await reader.call('PUT', 'os', body)).status, 200);
    t.match(await ended(), { status: 'finished', version: '7.3.0' });
    t.match(server.requests.at(-1)?.headers, {
      authorization: `Basic ${Buffer.from('me:the secret').toString('base64')}`,
      'x-k': 'key',
    });
    const text = readFileSync(join(reader.stateDir, 'update', 'update.json'), 'utf8');
    t.notMatch(text, /the secret/);
  });
});
