/** User applications by both doors: installed, listed, started, stopped, removed. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { UserApps } from '../../src/reader-gateway/api/user-apps.js';
import { assertValid } from '../../src/reader-gateway/api/validate.js';
import { Listener, TestBroker, until } from './reader.js';
import { AppReader, answering, appPackage, lives } from './user-apps.js';

t.test('one reader', async (t) => {
  const broker = new TestBroker();
  await broker.start();
  const listener = new Listener(broker.url);
  await until('the listener is there', () => listener.subscribed);
  t.teardown(async () => {
    listener.client.end(true);
    await broker.stop();
  });
  const apps = await AppReader.start(t, { broker });
  const { reader } = apps;

  t.test('a reader without applications has an empty list', async (t) => {
    t.same(await apps.list(), []);
  });

  t.test('an application is installed, and does not run by itself', async (t) => {
    const package1 = appPackage('counter', undefined, { description: 'Counts' });
    t.match(await apps.install(package1), { status: 200, text: '' });
    const list = await apps.list();
    assertValid(UserApps, list);
    t.match(list, [
      {
        appname: 'counter',
        autostart: false,
        metadata: 'version 1.0.0: Counts',
        runningStatus: false,
        state: 'stopped',
        lastEnd: '',
      },
    ]);
    const staging = join(reader.stateDir, 'apps', 'staging');
    t.same(readdirSync(staging), [], 'nothing is left of the installation');
  });

  t.test('it is started and stopped, and doing it twice is no error', async (t) => {
    for (const _twice of [1, 2]) {
      t.match(await reader.call('PUT', 'apps/counter/start'), { status: 200, text: '' });
    }
    const pid = reader.gateway.apps.pid('counter') ?? 0;
    t.ok(lives(pid));
    t.match(await apps.list(), [{ runningStatus: true, state: 'running' }]);
    for (const _twice of [1, 2]) {
      t.match(await reader.call('PUT', 'apps/counter/stop'), { status: 200, text: '' });
    }
    t.notOk(lives(pid));
    t.match(await apps.list(), [{ runningStatus: false, state: 'stopped' }]);
  });

  t.test('autostart is switched on without a value, and off with one', async (t) => {
    t.match(await reader.call('PUT', 'apps/counter/autostart'), { status: 200, text: '' });
    t.match(await apps.list(), [{ autostart: true }]);
    await apps.do('counter', 'autostart', { autostart: false });
    t.match(await apps.list(), [{ autostart: false }]);
  });

  t.test('the same goes over MQTT, with the name in the payload', async (t) => {
    let lastId = 0;
    const ask = async (command: string, payload: object) => {
      const id = `id ${++lastId}`;
      listener.client.publish(
        'singulate/m-req',
        JSON.stringify({ command, command_id: id, payload }),
      );
      const found = () =>
        listener.messages.find(({ json }) => json.command_id === id && json.response);
      await until(`the answer to ${command}`, found);
      return found()?.json;
    };
    apps.server.files.set(
      'echo.tar.gz',
      appPackage('echo', answering("(text) => '<' + text + '>'")),
    );
    const installed = await ask('set_install_userapp', apps.server.request('echo.tar.gz'));
    t.match(installed, { response: 'success', payload: {} });
    const appname = 'echo';
    t.match(await ask('set_start_userapp', { appname }), { response: 'success' });
    t.match(await ask('set_autostart_userapp', { appname }), { response: 'success' });
    await apps.connected('echo');
    t.match(await ask('set_req_to_userapp', { appname, userapp: 'echo', command: 'a b' }), {
      response: 'success',
      payload: { response: '<a b>' },
    });
    const list = await ask('get_userapps', {});
    t.match(list.payload, [
      { appname: 'counter' },
      { appname: 'echo', runningStatus: true, autostart: true },
    ]);
    t.match(await ask('set_stop_userapp', { appname }), { response: 'success' });
    t.match(await ask('set_uninstall_userapp', { appname }), { response: 'success' });
    t.match(await ask('set_uninstall_userapp', { appname }), {
      response: 'failure',
      payload: { code: 5, message: /appname: "echo" is not installed; installed: counter/ },
    });
  });

  t.test(
    'an application that is uninstalled while it runs is stopped, and nothing is left',
    async (t) => {
      await apps.do('counter', 'start');
      const pid = reader.gateway.apps.pid('counter') ?? 0;
      t.match(await reader.call('PUT', 'apps/counter/uninstall'), { status: 200, text: '' });
      t.notOk(lives(pid));
      t.same(await apps.list(), []);
      t.notOk(existsSync(join(reader.stateDir, 'apps', 'installed', 'counter')));
    },
  );

  t.test('what is not installed is not found, and the name of the path is checked', async (t) => {
    for (const what of ['uninstall', 'start', 'stop', 'autostart']) {
      const answer = await reader.call('PUT', `apps/nobody/${what}`);
      t.match(
        answer,
        { status: 404, json: { code: 5, message: /"nobody" is not installed/ } },
        what,
      );
    }
    for (const name of ['..%2f..%2fetc', 'Upper', 'a%20b', 'x'.repeat(33)]) {
      const answer = await reader.call('PUT', `apps/${name}/start`);
      t.match(answer, { status: 400, json: { code: 1, message: /appname: .* is not a name of/ } });
    }
    t.equal((await reader.call('PUT', 'apps/%ff/start')).status, 400);
  });

  t.test('a body may repeat the name of the path, but not name another one', async (t) => {
    const same = await reader.call('PUT', 'apps/nobody/start', { appname: 'nobody' });
    t.equal(same.status, 404);
    const other = await reader.call('PUT', 'apps/nobody/start', { appname: 'other' });
    t.match(other, {
      status: 400,
      json: { message: 'appname: "other" is not the "nobody" of the path' },
    });
    const list = await reader.call('PUT', 'apps/nobody/start', [1]);
    t.match(list, { status: 400, json: { message: '[1] is not an object' } });
  });

  t.test('a wrong method on a path with a name tells the right one', async (t) => {
    const answer = await reader.call('GET', 'apps/counter/start');
    t.match(answer, { status: 405, headers: { allow: 'PUT' } });
    t.equal((await reader.call('PUT', 'apps/counter/dance')).status, 404);
  });

  t.test('the document of the reader shows names of paths as parameters', async (t) => {
    const { json } = await reader.call('GET', 'openapi.json');
    const { put } = json.paths['/cloud/apps/{appname}/pass-through'];
    t.match(put.parameters, [{ name: 'appname', in: 'path', required: true }]);
    const { schema } = put.requestBody.content['application/json'];
    t.same(Object.keys(schema.properties), ['userapp', 'command']);
    t.same(schema.required, ['userapp', 'command']);
    t.notOk('requestBody' in json.paths['/cloud/apps/{appname}/start'].put);
  });
});
