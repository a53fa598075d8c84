/** Certificates that are fetched over HTTPS, and fetched again. */
import { X509Certificate } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import t from 'tap';
import { Authority, pfxOf, selfSigned } from './certificates.js';
import { listen } from './connection-tests.js';
import { httpsServer } from './file-servers.js';
import { TestReader } from './reader.js';

t.test('one reader and web servers', async (t) => {
  const reader = await TestReader.start(t);
  t.teardown(() => reader.gateway.stop());
  const authority = new Authority();
  const web = authority.issue({ name: 'web' });
  const pair = authority.issue({ name: 'first' });
  const folder = (name: string) => join(reader.stateDir, 'certificates', 'client', name);
  const subjectOf = (name: string) =>
    new X509Certificate(readFileSync(join(folder(name), 'cert.pem'))).subject;
  const install = (name: string, body: object) =>
    reader.call('PUT', `certificates/${name}`, {
      name,
      type: 'client',
      CACertificateFileContent: authority.cert,
      pfxPassword: 'secret',
      ...body,
    });

  t.test('with a login and headers; a refresh fetches again with all of them', async (t) => {
    let file = pfxOf(pair, 'secret');
    const seen: unknown[] = [];
    const base = await httpsServer(t, web, (request, response) => {
      seen.push([request.url, request.headers['x-tenant']]);
      const login = `Basic ${Buffer.from('me:my secret').toString('base64')}`;
      if (request.headers.authorization !== login) response.writeHead(401).end();
      else response.end(file);
    });
    const login = {
      authenticationType: 'BASIC',
      options: { username: 'me', password: 'my secret' },
      headers: { 'X-Tenant': 'warehouse' },
    };
    const answer = await install('fetched', { url: `${base}/pfx`, filename: 'a b.pfx', ...login });
    t.match(answer, { status: 200, text: '' });
    t.equal(subjectOf('fetched'), 'CN=first');
    t.same(seen, [['/pfx/a%20b.pfx', 'warehouse']]);

    file = pfxOf(authority.issue({ name: 'second' }), 'secret');
    t.match(await reader.call('PUT', 'certificates/fetched', { type: 'client' }), { status: 200 });
    t.equal(subjectOf('fetched'), 'CN=second');
    t.equal(seen.length, 2);

    file = Buffer.from('no PFX any more');
    const failed = await reader.call('PUT', 'certificates/fetched', {
      type: 'client',
      certificate: 'fetched',
    });
    t.match(failed, { status: 400, json: { code: 1, message: /^url: is not a PFX/ } });
    t.equal(subjectOf('fetched'), 'CN=second', 'the old one stays');

    for (const name of readdirSync(folder('fetched'))) {
      const text = readFileSync(join(folder('fetched'), name), 'utf8');
      const isSource = name === 'source.json';
      t.equal(/my secret/.test(text), isSource, name);
      if (isSource) t.equal(statSync(join(folder('fetched'), name)).mode & 0o777, 0o600);
    }
    const wrong = { ...login, options: { username: 'me', password: 'guessed' } };
    const refused = await install('refused', { url: `${base}/a.pfx`, ...wrong });
    t.match(refused, { status: 400, json: { message: /^options: .* does not let us in/ } });
    t.notMatch(refused.text, /guessed/);
  });

  t.test('a PEM file with certificate and key does as well', async (t) => {
    const base = await httpsServer(t, web, (_request, response) => {
      response.end(pair.cert + pair.key);
    });
    t.match(await install('pem', { url: base }), { status: 200 });
    t.equal(subjectOf('pem'), 'CN=first');
  });

  t.test('only a server that is trusted is asked, unless it is told otherwise', async (t) => {
    const file = pfxOf(pair, 'secret');
    const stranger = await httpsServer(
      t,
      selfSigned({ name: 'stranger' }),
      (_request, response) => {
        response.end(file);
      },
    );
    const elsewhere = await httpsServer(
      t,
      authority.issue({ name: 'elsewhere', hosts: ['elsewhere.example'] }),
      (_request, response) => response.end(file),
    );
    const expected = { status: 400, json: { code: 1, message: /^url: .* is not trusted/ } };
    t.match(await install('x', { url: stranger }), expected);
    t.match(await install('x', { url: elsewhere }), expected);
    t.match(await install('x', { url: elsewhere, verifyHost: false }), { status: 200 });
    t.match(await install('x', { url: stranger, verifyPeer: false }), { status: 200 });
  });

  t.test(
    'a server that wants to know who the reader is gets an installed certificate',
    async (t) => {
      const file = pfxOf(authority.issue({ name: 'over mTLS' }), 'secret');
      const base = await httpsServer(t, web, (_request, response) => response.end(file), {
        ca: authority.cert,
        requestCert: true,
        rejectUnauthorized: true,
      });
      t.not((await install('mtls', { url: base, timeoutInSec: 5 })).status, 200);
      const own = { publicKeyFileContent: pair.cert, privateKeyFileContent: pair.key };
      t.match(await reader.call('PUT', 'certificates/own', { type: 'app', ...own }), {
        status: 200,
      });
      const named = { installedCertificateName: 'own', installedCertificateType: 'app' };
      t.match(await install('mtls', { url: base, ...named }), { status: 200 });
      t.equal(subjectOf('mtls'), 'CN=over mTLS');
      t.match(await install('mtls', { url: base, publicKeyFileLocation: '/none.pem' }), {
        status: 400,
        json: {
          message: /^publicKeyFileLocation: does not name a file in PEM that this reader takes/,
        },
      });
      t.match(await install('mtls', { url: base, installedCertificateName: 'nobody' }), {
        status: 400,
        json: { message: /^installedCertificateName: no client certificate "nobody" is installed/ },
      });
    },
  );

  t.test('redirects are followed, without secrets to another server', async (t) => {
    const file = pfxOf(pair, 'secret');
    const seen: unknown[] = [];
    const second = await httpsServer(t, web, (request, response) => {
      seen.push([request.headers.authorization, request.headers['x-key']]);
      response.end(file);
    });
    const first = await httpsServer(t, web, (request, response) => {
      if (request.url === '/moved') response.writeHead(302, { location: `${second}/here` }).end();
      else if (request.url === '/plain') {
        response.writeHead(302, { location: 'http://127.0.0.1/a.pfx' }).end();
      } else response.writeHead(307, { location: '/round' }).end();
    });
    const secrets = { options: { username: 'me', password: 'x' }, headers: { 'X-Key': 'y' } };
    t.match(await install('moved', { url: `${first}/moved`, ...secrets }), { status: 200 });
    t.same(seen, [[undefined, undefined]]);
    t.match(await install('moved', { url: `${first}/round` }), {
      status: 400,
      json: { code: 1, message: /^url: .* redirects more than 5 times/ },
    });
    t.match(await install('moved', { url: `${first}/plain` }), {
      status: 400,
      json: { code: 1, message: /^url: .* redirects from https: to http:/ },
    });
  });

  t.test('servers that are silent, slow, away or endless are given up', async (t) => {
    const silent = await listen(
      t,
      createServer((socket) => void socket.on('error', () => {})),
    );
    const endless = await httpsServer(t, web, (_request, response) => {
      const block = Buffer.alloc(65536, 'x');
      const more = () => {
        while (response.write(block));
      };
      response.on('drain', more);
      more();
    });
    const dripping = await httpsServer(t, web, (_request, response) => {
      response.write('x');
      const timer = setInterval(() => response.write('x'), 100);
      response.on('close', () => clearInterval(timer));
    });
    const halting = await httpsServer(t, web, (_request, response) => void response.write('x'));
    const away = { status: 500, json: { code: 4 } };
    const cases: [object, object, RegExp][] = [
      [{ url: `https://127.0.0.1:${silent}/`, timeouts: { connection: 0.3 } }, away, /in time/],
      [{ url: `https://127.0.0.1:${silent}/`, timeoutInSec: 0.4 }, away, /within 0.4 s/],
      [{ url: `${dripping}/`, timeoutInSec: 0.6 }, away, /within 0.6 s/],
      [{ url: `${halting}/`, timeouts: { read: 0.5 } }, away, /stopped sending|in time/],
      [{ url: 'https://127.0.0.1:1/' }, away, /refuses the connection/],
      [{ url: `${endless}/` }, { status: 400, json: { code: 1 } }, /above the limit of 524288/],
    ];
    for (const [body, expected, message] of cases) {
      const answer = await install('none', body);
      t.match(answer, expected, JSON.stringify(body));
      t.match(answer.json.message, message);
    }
    t.throws(() => statSync(folder('none')));
  });

  t.test('a passing trouble is tried again as the request says', async (t) => {
    const file = pfxOf(pair, 'secret');
    let asked = 0;
    const base = await httpsServer(t, web, (request, response) => {
      asked++;
      if (request.url === '/missing') response.writeHead(404).end();
      else if (asked < 3) response.writeHead(503).end();
      else response.end(file);
    });
    const retry = { type: 'randomWait', policy: { retries: 2, wait: { min: 0.01, max: 0.05 } } };
    t.match(await install('again', { url: `${base}/busy` }), { status: 500, json: { code: 4 } });
    asked = 0;
    t.match(await install('again', { url: `${base}/busy`, retry }), { status: 200 });
    t.equal(asked, 3);
    asked = 0;
    t.match(await install('again', { url: `${base}/missing`, retry }), {
      status: 400,
      json: { message: /HTTP status 404/ },
    });
    t.equal(asked, 1, 'a file that is not there is not asked for again');
  });

  t.test(
    'what came with the request cannot be refreshed, and what is not there neither',
    async (t) => {
      const refresh = (name: string, type: string) =>
        reader.call('PUT', `certificates/${name}`, { type });
      t.match(await refresh('own', 'app'), { status: 400, json: { code: 3 } });
      t.match(await refresh('nobody', 'app'), { status: 404, json: { code: 5 } });
    },
  );
});
