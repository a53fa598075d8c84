/** No name leads out of the folder that it is a name in. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import t from 'tap';
import { AppReader, debOf, manifest, tarOf } from '../gateway/user-apps.js';

const MARKER = 'never-to-be-seen-4711';

const CLIMBING = [
  '../secret',
  '..%2fsecret',
  '%2e%2e/secret',
  '%2e%2e%2fsecret',
  '..%5csecret',
  '..%252fsecret',
  '%c0%ae%c0%ae%2fsecret',
  '....//secret',
  '..;/secret',
  '.',
  '..',
  '%00',
  'a%00.txt',
  '~root',
  '%2fetc%2fpasswd',
  '/etc/passwd',
  'a/../../secret',
];

t.test('one reader', async (t) => {
  const reader = await AppReader.start(t);
  const { stateDir } = reader.reader;
  writeFileSync(join(stateDir, 'secret'), MARKER);
  mkdirSync(join(stateDir, 'certificates'), { recursive: true });

  for (const [method, before, after, body] of [
    ['GET', '/', '', undefined],
    ['GET', '/cloud/', '', undefined],
    ['GET', '/cloud/logs/', '', undefined],
    ['DELETE', '/cloud/logs/', '', undefined],
    ['PUT', '/cloud/certificates/', '', { type: 'client' }],
    ['DELETE', '/cloud/certificates/', '', { type: 'client' }],
    ['PUT', '/cloud/apps/', '/start', undefined],
    ['PUT', '/cloud/apps/', '/uninstall', undefined],
    ['PUT', '/cloud/apps/', '/autostart', { autostart: true }],
  ] as const) {
    t.test(`${method} ${before}...${after}`, async (t) => {
      for (const name of CLIMBING) {
        const { status, text } = await reader.reader.raw(method, `${before}${name}${after}`, body);
        t.ok(status >= 400 && status < 500, `${name}: ${status}`);
        t.notOk(text.includes(MARKER));
      }
    });
  }

  t.test('names in bodies', async (t) => {
    const file = (filename: string) =>
      reader.reader.call('PUT', 'apps/install', reader.server.request(filename));
    for (const name of [
      '../a.tar.gz',
      '/tmp/a.tar.gz',
      'a/../../b.tar.gz',
      '..\\a.tar.gz',
      'a\0.tar.gz',
    ]) {
      const { status, json } = await file(name);
      t.equal(status, 400, name);
      t.match(json.message, /filename/);
    }
    for (const name of ['../../secret', '..', 'a/b', 'a\0b']) {
      const connection = {
        type: 'mqtt',
        options: {
          endpoint: 'b.invalid',
          publishTopic: ['a'],
          security: { installedCertificateName: name },
        },
      };
      const body = {
        'READER-GATEWAY': { endpointConfig: { data: { event: { connections: [connection] } } } },
      };
      const { status, json } = await reader.reader.call('PUT', 'config', body);
      t.notOk(status === 200 && name.includes('/'), name);
      if (status !== 200) t.match(json.message, /installedCertificateName/);
    }
  });

  t.test('entries of packages', async (t) => {
    const main = { path: 'main.mjs', content: '' };
    const data = (path: string) => tarOf([manifest('climber'), main, { path, content: MARKER }]);
    for (const path of [
      '../out',
      '/tmp/out',
      'a/../../out',
      './../out',
      'a\\..\\..\\out/../../out',
    ]) {
      const archive = await reader.install(gzipSync(data(path)));
      t.equal(archive.status, 400, `${path} in a tar`);
      const deb = await reader.install(debOf(data(path)), 'a.deb');
      t.equal(deb.status, 400, `${path} in a deb`);
    }
    for (const linkpath of ['/etc/passwd', '../../auth.json', '/proc/self/environ']) {
      for (const type of ['SymbolicLink', 'Link'] as const) {
        const link = { path: 'link', type, linkpath };
        const { status } = await reader.install(gzipSync(tarOf([manifest('climber'), main, link])));
        t.equal(status, 400, `${type} to ${linkpath}`);
      }
    }
    const through = [
      { path: 'door', type: 'SymbolicLink' as const, linkpath: '..' },
      { path: 'door/out', content: MARKER },
    ];
    t.equal(
      (await reader.install(gzipSync(tarOf([manifest('climber'), main, ...through])))).status,
      400,
    );
    t.same(await reader.list(), [], 'nothing is installed');
  });

  t.test('a package that grows a thousandfold is refused', async (t) => {
    const zeros = Buffer.alloc(16 * 1024 * 1024);
    const entries = Array.from({ length: 2 }, (_, i) => ({ path: `zeros${i}`, content: zeros }));
    const bomb = gzipSync(
      tarOf([manifest('bomb'), { path: 'main.mjs', content: '' }, ...entries]),
      {
        level: 9,
      },
    );
    const { status, json } = await reader.install(bomb);
    t.equal(status, 400);
    t.match(json.message, /more than 200 times its size/);
    t.same(await reader.list(), []);
  });

  t.test('files that are none, or no certificates, are neither shown nor waited for', async (t) => {
    const socket = createServer();
    await new Promise<void>((resolve) => socket.listen(join(stateDir, 'a.sock'), resolve));
    t.teardown(() => socket.close());
    for (const location of [
      '/dev/zero',
      '/proc/self/mem',
      stateDir,
      join(stateDir, 'a.sock'),
      join(stateDir, 'secret'),
      join(stateDir, 'auth.json'),
      join(stateDir, 'nothing'),
      'a\0b',
    ]) {
      for (const field of ['publicKeyFileLocation', 'CACertificateFileLocation']) {
        const body = { type: 'client', [field]: location };
        const { status, text } = await reader.reader.call('PUT', 'certificates/named', body);
        t.equal(status, 400, `${field} ${location} ${text}`);
        t.notOk(text.includes(MARKER) || text.includes('"salt"'), 'nothing of the file');
      }
    }
    t.equal((await reader.reader.call('GET', 'version')).status, 200);
  });
});
