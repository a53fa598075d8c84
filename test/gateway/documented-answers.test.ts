/** What every operation answers is what the OpenAPI document says of it. */
import t, { type Test } from 'tap';
import { readMacAddress } from '../../src/platform/identity.js';
import { OPERATIONS } from '../../src/reader-gateway/operations/table.js';
import { compile, type Document } from '../documents/compiled.js';
import { Authority, writePem } from './certificates.js';
import { type Answer, send, TestReader, until } from './reader.js';

t.test('one reader', async (t) => {
  const reader = await TestReader.start(t);
  t.teardown(() => reader.gateway.stop());
  const document: Document = (await reader.call('GET', 'openapi.json')).json;
  const ca = writePem(reader.stateDir, 'ca', new Authority()).cert;

  /** Fails the test unless status, content type and body are those that are described. */
  const check = (t: Test, method: string, path: string, answer: Answer) => {
    const { status, headers, text, json } = answer;
    const keys = ['paths', path, method.toLowerCase()];
    const what = `${method} ${path} ${status} ${text.slice(0, 150)}`;
    let described = document.paths[path][method.toLowerCase()].responses[status];
    if (!t.ok(described, `${what}: the status is described`)) return;
    let where = [...keys, 'responses', String(status)];
    if (described.$ref !== undefined) {
      where = described.$ref.slice(2).split('/');
      described = document.components.responses[where.at(-1) as string];
    }
    const [type = ''] = (headers['content-type'] ?? '').split(';');
    if (described.content === undefined) {
      t.equal(text, '', `${what}: has no content`);
      return;
    }
    const { schema } = described.content[type] ?? {};
    if (!t.ok(schema, `${what}: ${type} is described`)) return;
    if (schema.format === 'binary') return;
    const validate = compile(document, ...where, 'content', type, 'schema');
    t.ok(validate(type === 'application/json' ? json : text), `${what}: ${errors(validate)}`);
  };
  const errors = ({ errors: found }: { errors?: unknown }) => JSON.stringify(found ?? []);

  const certificate = { type: 'app' };
  /** Requests that succeed, in an order in which they do; those of GET need none. */
  const SUCCEEDING: Record<string, [path: string, body: object]> = {
    setMode: ['mode', { type: 'INVENTORY', antennas: [1], transmitPower: [20] }],
    explainMode: ['mode', { type: 'SIMPLE' }],
    start: ['start', {}],
    stop: ['stop', {}],
    setConfig: ['config', { xml: '<reader/>' }],
    testConnection: ['testConnection', { type: 'WEBSOCKET' }],
    setNetwork: ['network', { hostName: 'reader', dhcp: true, macAdress: readMacAddress() }],
    setHostname: ['hostname', { hostname: 'reader' }],
    setTimeZone: ['timeZone', { timeZone: 'Coordinated Universal Time' }],
    setNtpServer: ['ntpServer', { server: '127.0.0.1' }],
    setNameAndDescription: ['nameAndDescription', { name: 'a', description: 'b' }],
    setCableLossCompensation: [
      'cableLossCompensation',
      { cableLength: 1, cableLossPerHundredFt: 1 },
    ],
    setRegion: ['region', { region: 'listenland' }],
    setLogConfig: ['logs', { components: [{ componentName: 'radio_control', level: 'INFO' }] }],
    installCertificate: ['certificates/one', { ...certificate, CACertificateFileLocation: ca }],
    createCertificateRequest: ['certificates/two/csr', certificate],
    getSupportedStandardList: ['supportedStandardList', { region: 'listenland' }],
    getSupportedCountryList: ['supportedCountryList', { region: 'listenland' }],
    getLog: ['logs/syslog', {}],
    reboot: ['reboot', {}],
  };

  t.test('successes', async (t) => {
    const names = OPERATIONS.map(({ name }) => name);
    t.strictSame(
      Object.keys(SUCCEEDING).filter((name) => !names.includes(name)),
      [],
    );
    // The reader begins again with a reboot: it comes last.
    const last = OPERATIONS.filter(({ name }) => name === 'reboot');
    const inOrder = [...OPERATIONS.filter(({ name }) => name !== 'reboot'), ...last];
    for (const { name, method, path } of inOrder) {
      const given = SUCCEEDING[name];
      if (given === undefined && (method !== 'GET' || path.includes('{'))) continue;
      const [asked, body] = given ?? [path.slice('/cloud/'.length), undefined];
      const answer = await reader.call(method, asked, body);
      t.ok(answer.status < 300, `${name}: ${answer.status} ${answer.text.slice(0, 200)}`);
      check(t, method, path, answer);
    }
    await until('it has rebooted', () => reader.reboots === 1);
    const login = await reader.login();
    check(t, 'GET', '/cloud/localRestLogin', login);
    for (const path of ['metrics', 'asyncapi.json', 'docs']) {
      check(t, 'GET', `/cloud/${path}`, await reader.call('GET', path));
    }
  });

  t.test('what is wrong', async (t) => {
    const nothing = (path: string) => path.replaceAll(/\{\w+\}/g, 'nothing');
    for (const { method, path } of OPERATIONS) {
      const asked = nothing(path);
      // Of a body that is no object nothing is done, whatever the operation is.
      for (const body of ['{', '[]', '"text"', 'x'.repeat(1_100_000)]) {
        const answer = await reader.call(method, asked.slice('/cloud/'.length), body);
        t.ok(answer.status >= 400, `${method} ${path}`);
        check(t, method, path, answer);
      }
      const unknown = await send(reader.gateway.restUrl, method, asked);
      t.equal(unknown.status, 401);
      check(t, method, path, unknown);
    }
  });

  t.test('what is missing, or is not there', async (t) => {
    for (const { name, method, path, requestSchema } of OPERATIONS) {
      const needs = (requestSchema.required ?? []).length > 0;
      if (!needs && !path.includes('{')) continue;
      const asked = path.replaceAll(/\{\w+\}/g, 'nothing').slice('/cloud/'.length);
      const answer = await reader.call(method, asked, {});
      t.ok(answer.status >= 400, name);
      check(t, method, path, answer);
    }
  });

  t.test('without a radio', async (t) => {
    reader.radio.kill();
    for (const { method, path } of OPERATIONS) {
      if (method !== 'GET' || path.includes('{')) continue;
      check(t, method, path, await reader.call(method, path.slice('/cloud/'.length)));
    }
    for (const path of ['start', 'stop']) {
      check(t, 'PUT', `/cloud/${path}`, await reader.call('PUT', path));
    }
  });
});
