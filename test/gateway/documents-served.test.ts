/** The documents and their pages, as the reader serves them. */
import { gunzipSync } from 'node:zlib';
import t from 'tap';
import { OPERATIONS } from '../../src/reader-gateway/operations/table.js';
import { FAKE_CAPABILITIES, FakeRadio } from './fake-radio.js';
import { radioTarget, send, TestBroker, TestReader, temporaryFolder } from './reader.js';

t.test('one reader', async (t) => {
  const broker = new TestBroker();
  await broker.start();
  const reader = await TestReader.start(t, { broker });
  t.teardown(async () => {
    await reader.gateway.stop();
    await broker.stop();
  });
  const url = reader.gateway.restUrl;

  t.test('the OpenAPI document needs no token and lists every operation', async (t) => {
    const { status, json } = await send(url, 'GET', '/cloud/openapi.json');
    t.equal(status, 200);
    t.equal(json.openapi, '3.1.0');
    for (const { path, method, mqttCommand } of OPERATIONS) {
      const sharing = OPERATIONS.filter((one) => one.path === path && one.method === method);
      const documented = json.paths[path]?.[method.toLowerCase()];
      t.equal(documented?.operationId, sharing[0]?.name);
      t.match(documented?.description, new RegExp(`\\b${mqttCommand}\\b`));
    }
    const references = JSON.stringify(json).match(/#\/components\/schemas\/\w+/g) ?? [];
    for (const reference of new Set(references)) {
      t.ok(json.components.schemas[reference.split('/').at(-1) ?? ''], reference);
    }
    const { antennas } = json.components.schemas.OperatingMode.properties;
    t.strictSame(antennas.items.enum, FAKE_CAPABILITIES.antennas);
  });

  t.test('the AsyncAPI document needs no token, and tells topics to who has one', async (t) => {
    const unknown = await send(url, 'GET', '/cloud/asyncapi.json');
    t.match(unknown, { status: 200, json: { asyncapi: '3.0.0' } });
    t.notMatch(unknown.text, /singulate\/d-evt|127\.0\.0\.1:(?!\d+")/);
    t.equal(unknown.json.channels.dataEvents.address, null);
    const { json } = await reader.call('GET', 'asyncapi.json');
    t.match(json.channels, {
      dataEvents: { address: 'singulate/d-evt' },
      controlCommands: { address: 'singulate/c-req' },
      managementResponses: { address: 'singulate/m-res' },
    });
    t.equal(json.servers.broker.host, `127.0.0.1:${broker.port}`);
    t.equal(json.servers.reader.host, new URL(url).host);
    const wrong = await send(url, 'GET', '/cloud/asyncapi.json', {
      headers: { authorization: 'Bearer x.y.z' },
    });
    t.equal(wrong.json.channels.dataEvents.address, null);
  });

  t.test('a document that a client has is not sent again, as long as it holds', async (t) => {
    const authorization = `Bearer ${(await reader.login()).json.message}`;
    const ask = (path: string, etag = '') =>
      send(url, 'GET', path, { headers: { authorization, 'if-none-match': etag } });
    for (const path of ['/cloud/openapi.json', '/cloud/asyncapi.json']) {
      const { status, headers } = await ask(path);
      t.equal(status, 200);
      t.match(await ask(path, headers.etag), { status: 304, text: '' }, path);
    }
    const { headers } = await ask('/cloud/asyncapi.json');
    const setConnections = (endpointConfig: unknown) =>
      reader.call('PUT', 'config', { 'READER-GATEWAY': { endpointConfig } });
    t.teardown(() => setConnections(null));
    await setConnections({ data: { event: { connections: [] } } });
    t.equal((await ask('/cloud/asyncapi.json', headers.etag)).status, 200, 'after a change');
  });

  t.test(
    'a document is compressed for who asks again, and names the reader as the client does',
    async (t) => {
      const ask = (host: string) =>
        send(url, 'GET', '/cloud/asyncapi.json', { headers: { host, 'accept-encoding': 'gzip' } });
      const plain = await ask('one.example:8443');
      t.equal(plain.headers['content-encoding'], undefined);
      const packed = await ask('one.example:8443');
      t.equal(packed.headers['content-encoding'], 'gzip');
      t.ok(packed.bytes.length < plain.bytes.length / 5, `${packed.bytes.length} bytes`);
      t.equal(gunzipSync(packed.bytes).toString(), plain.text);
      t.equal(plain.json.servers.reader.host, 'one.example:8443');
      const other = await ask('other.example');
      t.equal(other.json.servers.reader.host, 'other.example');
      t.not(other.headers.etag, plain.headers.etag);
    },
  );

  t.test('pages come with a policy that lets in nothing from elsewhere', async (t) => {
    for (const path of ['/cloud/docs', '/cloud/docs/events']) {
      const page = await send(url, 'GET', path);
      t.equal(page.status, 200);
      t.match(page.headers, {
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': /^default-src 'none'; script-src 'self'; style-src 'self'/,
        'x-content-type-options': 'nosniff',
      });
      const addresses = [...page.text.matchAll(/(?:src|href)="([^"]*)"/g)].map(
        ([, one = '']) => one,
      );
      t.ok(addresses.length > 4);
      for (const address of addresses) {
        if (address === 'data:,') continue;
        t.match(address, /^\/cloud\//);
        t.equal((await send(url, 'GET', address)).status, 200, address);
      }
    }
  });

  t.test('what a browser has is not sent again, and nothing else is served', async (t) => {
    const { headers } = await send(url, 'GET', '/cloud/docs/swagger-ui.js');
    const again = await send(url, 'GET', '/cloud/docs/swagger-ui.js', {
      headers: { 'if-none-match': headers.etag ?? '' },
    });
    t.match(again, { status: 304, text: '' });
    for (const path of ['/cloud/docs/package.json', '/cloud/docs/..%2Fpackage.json']) {
      t.equal((await send(url, 'GET', '/', { path })).status, 404);
    }
  });
});

t.test('a reader whose radio never came serves what holds for all readers', async (t) => {
  const stateDir = temporaryFolder(t);
  const radio = new FakeRadio();
  await radio.listen(radioTarget(stateDir));
  radio.kill();
  const reader = await TestReader.start(t, { stateDir, radio });
  t.teardown(() => reader.gateway.stop());
  const { status, json } = await reader.call('GET', 'openapi.json');
  t.equal(status, 200);
  t.notOk(json.components.schemas.OperatingMode.properties.antennas.items.enum);
  t.equal((await reader.call('GET', 'asyncapi.json')).status, 200);
});
