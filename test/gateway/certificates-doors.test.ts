/** Certificates by REST and by MQTT: records, names, and what is refused. */
import { X509Certificate } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { Authority, pfxOf } from './certificates.js';
import { Listener, TestBroker, TestReader, until } from './reader.js';

t.test('one reader with a broker', async (t) => {
  const broker = new TestBroker();
  await broker.start();
  const reader = await TestReader.start(t, { broker });
  const listener = new Listener(broker.url);
  await until('the listener listens', () => listener.subscribed);
  await reader.dataConnected();
  t.teardown(async () => {
    listener.client.end(true);
    await reader.gateway.stop();
    await broker.stop();
  });
  const authority = new Authority();
  const pair = authority.issue({ name: 'one' });
  const pfx = { pfxContent: pfxOf(pair, 'x').toString('base64'), pfxPassword: 'x' };
  let id = 0;
  const command = async (name: string, payload: object) => {
    const mine = String(++id);
    const text = JSON.stringify({ command: name, command_id: mine, payload });
    listener.client.publish('singulate/m-req', text);
    const answer = () =>
      listener.on('singulate/m-res').find(({ json }) => json.command_id === mine)?.json;
    await until(`${name} is answered`, answer);
    return answer();
  };
  const listed = async () => {
    const { json } = await reader.call('GET', 'certificates');
    return json.map(({ type, name }: Record<string, string>) => `${type} ${name}`);
  };

  t.test('over MQTT the name travels in the payload', async (t) => {
    await until('management listens', () =>
      reader.endpoints.every((one) => one.state === 'connected'),
    );
    const names = { certificates: 'mqtt', name: 'mqtt', type: 'app' };
    t.match(await command('set_update_certificate', { ...names, ...pfx }), {
      response: 'success',
      payload: {},
    });
    const { payload } = await command('get_certificates', {});
    t.match(payload, [{ name: 'factory' }, { name: 'mqtt', type: 'app', subjectName: 'CN=one' }]);
    t.match(await command('set_refresh_certificate', { certificate: 'mqtt', type: 'app' }), {
      response: 'failure',
      payload: { code: 3 },
    });
    t.match(await command('create_certificate_request', { certname: 'm2', type: 'app' }), {
      response: 'success',
      payload: { csr: /BEGIN CERTIFICATE REQUEST/ },
    });
    t.match(await command('del_certificate', { type: 'app' }), {
      response: 'failure',
      payload: { code: 1, message: 'certname: is required' },
    });
    t.match(await command('del_certificate', { certname: 'mqtt', type: 'app' }), {
      response: 'success',
    });
    t.same(await listed(), ['server factory']);
  });

  t.test('a record has what the interface says, as texts', async (t) => {
    await reader.call('PUT', 'certificates/rest', { type: 'client', ...pfx });
    const { json } = await reader.call('GET', 'certificates');
    const record = json.find(({ name }: Record<string, string>) => name === 'rest');
    const certificate = new X509Certificate(pair.cert);
    const [day = '', month = '', year = ''] = record.validityEnd.split('/');
    t.equal(new Date(certificate.validTo).toISOString().slice(0, 10), `${year}-${month}-${day}`);
    t.match(record.validityStart, /^\d\d\/\d\d\/\d{4}$/);
    t.match(record.installTime, /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4}$/);
    t.ok(Math.abs(Date.parse(record.installTime) - Date.now()) < 60_000);
    t.equal(record.serial, BigInt(`0x${certificate.serialNumber}`).toString());
    t.equal(record.issuerName, 'CN=Test CA');
    t.match(record.publickey, /^-----BEGIN PUBLIC KEY-----/);
    t.same(Object.keys(record).sort(), [
      'installTime',
      'issuerName',
      'name',
      'publickey',
      'serial',
      'subjectName',
      'type',
      'validityEnd',
      'validityStart',
    ]);
  });

  t.test(
    'a folder that a person made is listed, also with a file that cannot be read',
    async (t) => {
      const folder = join(reader.stateDir, 'certificates', 'app');
      mkdirSync(join(folder, 'by-hand'), { recursive: true });
      writeFileSync(join(folder, 'by-hand', 'cert.pem'), pair.cert);
      mkdirSync(join(folder, 'damaged'));
      writeFileSync(join(folder, 'damaged', 'cert.pem'), 'no PEM');
      const { json } = await reader.call('GET', 'certificates');
      const found = json.filter(({ type }: Record<string, string>) => type === 'app');
      t.match(found, [
        { name: 'by-hand', subjectName: 'CN=one' },
        { name: 'damaged', subjectName: '', serial: '' },
      ]);
      for (const name of ['by-hand', 'damaged']) {
        t.match(await reader.call('DELETE', `certificates/${name}`, { type: 'app' }), {
          status: 200,
        });
      }
    },
  );

  t.test('no name leads out of the folder', async (t) => {
    const body = { type: 'client', ...pfx };
    const names = ['..%2f..%2fescaped', '%2e%2e', '.', '~new-1', 'a%00b', 'a%20b', 'x'.repeat(129)];
    for (const name of names) {
      const url = `${reader.gateway.restUrl}/cloud/certificates/`;
      // As it stands: a client that tidies up addresses would hide the attempt.
      const answer = await reader.raw('PUT', `${new URL(url).pathname}${name}`, body);
      t.match(
        answer,
        {
          status: 400,
          json: {
            code: 1,
            message: /^certname: (.* is not a certificate name|has a NUL character)/,
          },
        },
        name,
      );
    }
    for (const name of ['../../escaped', '..', '/etc/escaped', '']) {
      t.match(await command('set_update_certificate', { name, ...body }), {
        response: 'failure',
        payload: { code: 1 },
      });
      t.match(await command('del_certificate', { certname: name, type: 'client' }), {
        payload: { code: 1 },
      });
      t.match(await command('create_certificate_request', { certname: name, type: 'client' }), {
        payload: { code: 1 },
      });
    }
    t.equal(existsSync(join(reader.stateDir, 'escaped')), false);
    t.same(readdirSync(join(reader.stateDir, 'certificates', 'client')), ['rest']);
  });

  t.test(
    'names that differ, methods that are not there and bodies without a type are refused',
    async (t) => {
      const body = { type: 'client', ...pfx };
      t.match(await reader.call('PUT', 'certificates/one', { ...body, name: 'two' }), {
        status: 400,
        json: { code: 1, message: 'name: "two" is not the certname "one"' },
      });
      t.match(await reader.call('PUT', 'certificates/one', { ...body, certname: 'two' }), {
        status: 400,
        json: { code: 1, message: 'certname: "two" is not the "one" of the path' },
      });
      t.match(await reader.call('GET', 'certificates/one'), {
        status: 405,
        headers: { allow: 'PUT, DELETE' },
      });
      t.match(await reader.call('DELETE', 'certificates/rest'), {
        status: 400,
        json: { code: 1, message: 'type: is required' },
      });
      t.match(await reader.call('DELETE', 'certificates/rest', []), {
        status: 400,
        json: { code: 1 },
      });
      t.match(await reader.call('GET', 'certificates/one/two'), { status: 404 });
      t.same(await listed(), ['server factory', 'client rest']);
    },
  );

  t.test('the contract describes them once for each method and path', async (t) => {
    const { json } = await reader.call('GET', 'openapi.json');
    const path = json.paths['/cloud/certificates/{certname}'];
    t.same(Object.keys(path).sort(), ['delete', 'put']);
    t.match(path.put.parameters, [{ name: 'certname', in: 'path', required: true }]);
    t.equal(path.put.requestBody.content['application/json'].schema.anyOf.length, 2);
    t.match(path.put.description, /set_refresh_certificate or set_update_certificate/);
  });
});
