/** testConnection: names, ports, and what needs neither. */

import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import t from 'tap';
import { findOpen } from '../../src/reader-gateway/connection-test/tcp.js';
import { EVERYWHERE } from '../../src/reader-gateway/fetch/reach.js';
import { selfSigned, writePem } from './certificates.js';
import { detailOf, listen, mqttTo, postTo, resultsOf, tryOut } from './connection-tests.js';
import { TestReader, until } from './reader.js';

t.test('one reader', async (t) => {
  const reader = await TestReader.start(t);
  t.teardown(() => reader.gateway.stop());

  t.test('a name that does not resolve', async (t) => {
    for (const connection of [
      mqttTo('ssl://broker.singulate.invalid'),
      postTo('https://server.singulate.invalid/tags'),
    ]) {
      const result = await tryOut(reader, connection);
      t.equal(result.ok, false);
      t.same(resultsOf(result), {
        dns: 'failed',
        tcp: 'not tried',
        tls: 'not tried',
        auth: 'not tried',
      });
      t.match(detailOf(result, 'dns'), /singulate\.invalid/);
    }
  });

  t.test('a port that nothing listens on, found by name', async (t) => {
    const closed = createServer();
    const port = await listen(t, closed);
    await new Promise((resolve) => closed.close(resolve));
    const result = await tryOut(reader, mqttTo(`tcp://localhost:${port}`));
    t.equal(result.ok, false);
    t.same(resultsOf(result), {
      dns: 'ok',
      tcp: 'failed',
      tls: 'not needed',
      auth: 'not tried',
    });
    t.match(detailOf(result, 'dns'), /127\.0\.0\.1|::1/);
    t.match(detailOf(result, 'tcp'), /nothing listens on .*ECONNREFUSED/);
  });

  t.test('one of several addresses is enough', async (t) => {
    const port = await listen(t, createServer());
    const { signal } = new AbortController();
    t.equal(
      await findOpen(['127.0.0.2', '127.0.0.1', '127.0.0.3'], port, signal, EVERYWHERE),
      '127.0.0.1',
    );
    await t.rejects(findOpen(['127.0.0.2', '127.0.0.3'], port, signal, EVERYWHERE), {
      message: /127\.0\.0\.2:\d+.*; nothing listens on 127\.0\.0\.3:/,
    });
  });

  t.test('a WEBSOCKET needs nothing', async (t) => {
    const result = await tryOut(reader, { type: 'WEBSOCKET' });
    t.equal(result.ok, true);
    t.same(new Set(Object.values(resultsOf(result))), new Set(['not needed']));
  });

  t.test('a tcpip-server: its port and its certificate', async (t) => {
    const taken = await listen(t, createServer());
    const server = (tcpipport: number, options: object = {}) => ({
      type: 'tcpip-server',
      options: { tcpipport, ...options },
    });
    const inUse = await tryOut(reader, server(taken));
    t.equal(inUse.ok, false);
    t.match(detailOf(inUse, 'tcp'), /in use/);

    const before = createServer();
    const free = await listen(t, before);
    await new Promise((resolve) => before.close(resolve));
    const plain = await tryOut(reader, server(free));
    t.same(resultsOf(plain), {
      dns: 'not needed',
      tcp: 'ok',
      tls: 'not needed',
      auth: 'not needed',
    });
    const secured = (security: object) => server(free, { enableSecurity: true, security });
    const own = await tryOut(reader, secured({ useLocalCerts: true }));
    t.equal(own.ok, true);
    t.equal(resultsOf(own).tls, 'ok');
    const missing = await tryOut(reader, secured({ installedCertificateName: 'none' }));
    t.match(detailOf(missing, 'tls'), /no server certificate "none" is installed/);
    t.equal(missing.ok, false);
    const anybody = await tryOut(reader, secured({ useLocalCerts: true, verifyPeer: true }));
    t.match(detailOf(anybody, 'tls'), /no CA to check it with is named/);

    const connections = [{ ...server(free), name: 'lines' }];
    const config = { 'READER-GATEWAY': { endpointConfig: { data: { event: { connections } } } } };
    t.equal((await reader.call('PUT', 'config', config)).status, 200);
    await until('it listens', () =>
      reader.endpoints.some(({ name, error }) => name === 'lines' && /no client/.test(error)),
    );
    const listening = await tryOut(reader, server(free));
    t.equal(listening.ok, true);
    t.match(detailOf(listening, 'tcp'), /this reader listens on port \d+ already/);
    t.equal((await tryOut(reader, server(taken))).ok, false, 'but not on any other');
  });

  t.test('every wrong field is named at once, and nothing is tried', async (t) => {
    const call = (body: unknown) => reader.call('POST', 'testConnection', body);
    t.match(await call({}), { status: 400, json: { code: 1, message: 'type: is required' } });
    t.match(await call({ type: 'mqtt', options: {} }), {
      status: 400,
      json: { message: 'options.endpoint: is required; options.publishTopic: is required' },
    });
    const rules = await call({
      type: 'mqtt-AZURE',
      name: 'cloud',
      options: {
        endpoint: {},
        publishTopic: ['a'],
        additional: { qos: 2, retain: true },
        basicAuthentication: { username: 'me', password: '********' },
      },
    });
    t.equal(rules.status, 400);
    t.equal(
      rules.json.message,
      [
        'options.endpoint.hostName: is required',
        'options.additional.qos: 2 is not one of 0, 1: brokers of mqtt-AZURE have no QoS 2',
        'options.additional.retain: true is not allowed: brokers of mqtt-AZURE retain nothing',
        'options.basicAuthentication.password: is the mask of a secret that is not stored here',
      ].join('; '),
    );
  });

  t.test('two at a time', async (t) => {
    // Accepts, and never says anything: the login of each test waits its full time.
    const silent = await listen(
      t,
      createServer((socket) => void socket.on('error', () => {})),
    );
    const connection = mqttTo(`tcp://127.0.0.1:${silent}`);
    const first = tryOut(reader, connection);
    const second = tryOut(reader, connection);
    const answers = [
      await reader.call('POST', 'testConnection', connection),
      ...(await Promise.all([first, second])),
    ];
    t.match(answers[0], { status: 429, json: { code: 11, message: /2 connections/ } });
    for (const result of await Promise.all([first, second])) {
      t.match(detailOf(result, 'auth'), /no answer within 5 s/);
      t.equal(result.ok, false);
    }
    t.equal((await tryOut(reader, { type: 'WEBSOCKET' })).ok, true, 'there is room again');
  });

  t.test('the files of a certificate that are missing or do not fit', async (t) => {
    const port = await listen(t, createServer());
    const url = `ssl://127.0.0.1:${port}`;
    const missing = await tryOut(
      reader,
      mqttTo(url, { security: { CACertificateFileLocation: '/does/not/exist' } }),
    );
    t.match(
      detailOf(missing, 'tls'),
      /cannot be loaded: does not name a file in PEM that this reader takes/,
    );
    const one = writePem(reader.stateDir, 'one', selfSigned({ name: 'one' }));
    const two = writePem(reader.stateDir, 'two', selfSigned({ name: 'two' }));
    const mixed = { publicKeyFileLocation: one.cert, privateKeyFileLocation: two.key };
    const misfit = await tryOut(reader, mqttTo(url, { security: mixed }));
    t.match(detailOf(misfit, 'tls'), /certificate files cannot be used: .*mismatch/);
    const text = join(reader.stateDir, 'text.pem');
    await writeFile(text, 'no certificate');
    const nonsense = await tryOut(
      reader,
      mqttTo(url, { security: { CACertificateFileLocation: text } }),
    );
    t.equal(nonsense.ok, false);
  });
});
