/** How packages are fetched: credentials, certificates, tries and bounds. */
import { readdirSync } from 'node:fs';
import { createServer } from 'node:https';
import { join } from 'node:path';
import t from 'tap';
import { Authority, selfSigned, writePem } from './certificates.js';
import { listen } from './connection-tests.js';
import { temporaryFolder } from './reader.js';
import { AppReader, appPackage } from './user-apps.js';

t.test('one reader', async (t) => {
  const apps = await AppReader.start(t);
  const { reader, server } = apps;
  const bytes = appPackage('fetched');
  server.files.set('a+b_1.0~x.tar.gz', bytes);
  const install = (more: object = {}, filename = 'a+b_1.0~x.tar.gz') =>
    reader.call('PUT', 'apps/install', server.request(filename, more));
  t.afterEach(() => {
    server.answer = (request, response) => server.serve(request, response);
    server.requests.length = 0;
  });

  t.test('the file is asked for below the URL, or the URL is that of the file', async (t) => {
    for (const url of [
      server.url,
      `${server.url}/`,
      `${server.url}/a+b_1.0~x.tar.gz`,
      `${server.url}#x`,
    ]) {
      t.equal((await install({ url })).status, 200, url);
      t.equal(decodeURIComponent(server.requests.at(-1)?.url ?? ''), '/files/a+b_1.0~x.tar.gz');
    }
    t.equal(apps.app('fetched')?.version, '1.0.0');
  });

  t.test('credentials and headers are sent, and shown nowhere', async (t) => {
    server.answer = (request, response) => {
      response.statusCode = 403;
      response.end(JSON.stringify(request.headers));
    };
    const options = { username: 'me', password: 'secret-1' };
    const headers = { 'X-Key': 'secret-2' };
    const refused = await install({ authenticationType: 'BASIC', options, headers });
    t.match(refused, {
      status: 400,
      json: { code: 1, message: /^options: .* does not let us in \(HTTP status 403\)$/ },
    });
    t.notMatch(refused.text, /secret/);
    const basic = `Basic ${Buffer.from('me:secret-1').toString('base64')}`;
    t.match(server.requests[0]?.headers, { authorization: basic, 'x-key': 'secret-2' });
    t.equal(server.requests.length, 1, 'what is forbidden is not tried again');
    await install({ headers: { Authorization: 'Bearer secret-3' } });
    t.match(server.requests[1]?.headers, { authorization: 'Bearer secret-3' });
  });

  t.test('a server that fails is asked again, as often as the request says', async (t) => {
    let failures = 2;
    server.answer = (request, response) => {
      if (failures-- <= 0) server.serve(request, response);
      else if (failures === 1) request.socket.destroy();
      else response.writeHead(503).end();
    };
    const retry = { type: 'randomWait', policy: { retries: 2, wait: { min: 0, max: 0 } } };
    t.equal((await install({ retry })).status, 200);
    t.equal(server.requests.length, 3);
    failures = 3;
    t.match(await install({ retry }), { status: 500, json: { message: /HTTP status 503/ } });
    failures = 1;
    t.equal((await install()).status, 500, 'without retry it is asked once');
  });

  t.test('a connection that breaks in the middle installs nothing', async (t) => {
    server.answer = (_request, response) => {
      response.writeHead(200, { 'content-length': bytes.length });
      response.write(bytes.subarray(0, 100), () => response.destroy());
    };
    t.match(await install(), { status: 500, json: { code: 4 } });
    t.same(readdirSync(join(reader.stateDir, 'apps', 'staging')), []);
  });

  t.test('a server that stands still is given up after the read timeout', async (t) => {
    server.answer = () => {};
    const before = performance.now();
    t.match(await install({ timeouts: { connection: 1, read: 1 } }), { status: 500 });
    t.ok(performance.now() - before < 8000);
  });

  t.test('a redirect is not followed, and said to be one', async (t) => {
    server.answer = (_request, response) => response.writeHead(302, { location: server.url }).end();
    t.match(await install(), {
      status: 400,
      json: { code: 1, message: /^url: .*302: redirects are not followed/ },
    });
  });

  t.test('a second installation beside one is refused', async (t) => {
    let release = () => {};
    server.answer = (request, response) => {
      release = () => server.serve(request, response);
    };
    const first = install();
    while (server.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    t.match(await install(), { status: 429, json: { code: 11, message: /is being installed/ } });
    release();
    t.equal((await first).status, 200);
  });

  t.test('a reader that stops does not wait for a file', async (t) => {
    const other = await AppReader.start(t);
    other.server.answer = () => {};
    const answer = other.reader.call('PUT', 'apps/install', other.server.request('x.tar.gz'));
    const settled = answer.then(
      ({ status }) => status,
      () => 'cut',
    );
    while (other.server.requests.length === 0)
      await new Promise((resolve) => setTimeout(resolve, 5));
    const before = performance.now();
    await other.reader.gateway.stop();
    t.ok([500, 'cut'].includes(await settled));
    t.ok(performance.now() - before < 5000);
  });

  const wrong: [string, object, string | RegExp][] = [
    ['no URL', { url: undefined }, 'url: is required'],
    ['a URL that is none', { url: 'nothing' }, 'url: is not an http(s) URL'],
    ['another protocol', { url: 'file:///etc' }, 'url: is not an http(s) URL'],
    ['credentials in the URL', { url: 'http://me:secret@a/' }, /^url: must not have credentials/],
    ['an unknown login', { authenticationType: 'DIGEST' }, /"DIGEST" is not one of NONE, BASIC/],
    ['no login', { authenticationType: undefined }, 'authenticationType: is required'],
    [
      'BASIC without a name',
      { authenticationType: 'BASIC' },
      /options\.username: is required.*options\.password/,
    ],
    [
      'a path as a file name',
      { filename: '../x.deb' },
      /^filename: .* is not a file name that ends with/,
    ],
    ['a file name of another kind', { filename: 'x.zip' }, /^filename: /],
    [
      'a header with a line feed',
      { headers: { a: 'b\r\nc: d' } },
      'headers.a: may only have characters that a header can have',
    ],
    [
      'a header that is none',
      { headers: { 'a b': 'c' } },
      'headers["a b"]: is not the name of a header',
    ],
    [
      'a header of the client',
      { headers: { Host: 'x' } },
      'headers.Host: is set by the reader itself',
    ],
    [
      'too many tries',
      { retry: { policy: { retries: 99 } } },
      /retry\.policy\.retries: 99 is above/,
    ],
    [
      'a wait that ends before it begins',
      { retry: { policy: { wait: { min: 9, max: 2 } } } },
      'retry.policy.wait.min: 9 is above max, 2',
    ],
    [
      'a CA file that is missing',
      { CACertificateFileLocation: '/nothing.pem' },
      'CACertificateFileLocation: does not name a file in PEM that this reader takes',
    ],
    [
      'a CA that is none',
      { CACertificateFileContent: 'x' },
      'CACertificateFileContent: is not a certificate in PEM',
    ],
  ];
  for (const [name, more, message] of wrong) {
    t.test(`refused: ${name}`, async (t) => {
      t.match(await install(more), { status: 400, json: { code: 1, message } });
      t.equal(server.requests.length, 0, 'nobody was asked');
    });
  }

  t.test('over HTTPS the server is checked, as far as the request says', async (t) => {
    const authority = new Authority();
    const right = authority.issue({ name: 'server' });
    const other = authority.issue({ name: 'other', hosts: ['other.example'] });
    const urlOf = async (pair: { cert: string; key: string }) =>
      `https://127.0.0.1:${await listen(t, createServer(pair, server.take))}/files`;
    const [good, named, own] = [
      await urlOf(right),
      await urlOf(other),
      await urlOf(selfSigned({ name: 'own' })),
    ];
    const ca = { CACertificateFileContent: authority.cert };
    const folder = temporaryFolder(t);
    writePem(folder, 'ca', authority);
    const statusOf = async (url: string, more: object) => (await install({ url, ...more })).status;
    t.equal(await statusOf(good, ca), 200);
    t.equal(await statusOf(good, { CACertificateFileLocation: join(folder, 'ca.cert.pem') }), 200);
    t.equal(await statusOf(good, {}), 400, 'an authority that is not known');
    t.equal(await statusOf(named, ca), 400, 'a certificate of another host');
    t.equal(await statusOf(named, { ...ca, verifyHost: false }), 200);
    t.equal(await statusOf(own, ca), 400);
    t.equal(await statusOf(own, { verifyPeer: false, verifyHost: false }), 200);
  });
});
