/** What packages of user applications may be, and what is refused before anything is installed. */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import t from 'tap';
import { findProgram } from '../../src/reader-gateway/apps/programs.js';
import { temporaryFolder, until } from './reader.js';
import {
  AppReader,
  answering,
  appPackage,
  debOf,
  manifest,
  STAYS,
  type TarEntry,
  tarOf,
} from './user-apps.js';

const LIMITS = {
  maxPackageBytes: 400_000,
  maxUnpackedBytes: 8_000_000,
  maxRatio: 100,
  maxEntries: 50,
  maxPathBytes: 200,
  maxDepth: 5,
};
const MAIN: TarEntry = { path: 'main.mjs', content: STAYS };

t.test('one reader', async (t) => {
  const apps = await AppReader.start(t, { userApps: { limits: LIMITS } });
  const { reader } = apps;
  const base = join(reader.stateDir, 'apps');
  const outside = join(reader.stateDir, 'outside');
  const packed = (...entries: TarEntry[]) => gzipSync(tarOf([manifest('bad'), MAIN, ...entries]));
  const random = Buffer.from(
    Array.from({ length: 500_000 }, (_, i) => (i * 7919 + (i >> 3) ** 2) % 251),
  );

  const bad: [string, Buffer, RegExp][] = [
    ['nothing', Buffer.alloc(0), /neither a \.tar\.gz nor a \.deb/],
    ['a text', Buffer.from('hello'), /neither a \.tar\.gz nor a \.deb/],
    ['gzip of a text', gzipSync(Buffer.alloc(2000, 'x')), /no tar archive/],
    ['gzip in gzip', gzipSync(appPackage('bad')), /no tar archive/],
    ['half a gzip', appPackage('bad').subarray(0, 150), /damaged/],
    ['half an archive', gzipSync(tarOf([manifest('bad'), MAIN]).subarray(0, 1100)), /damaged/],
    [
      'an archive with a wrong checksum',
      gzipSync(broken(tarOf([manifest('bad'), MAIN]))),
      /damaged/,
    ],
    [
      'a path that leads out',
      packed({ path: '../outside', content: 'x' }),
      /leads out of the package/,
    ],
    ['a path that leads out later', packed({ path: 'a/../../outside', content: 'x' }), /leads out/],
    ['an absolute path', packed({ path: '/tmp/outside', content: 'x' }), /absolute path/],
    ['a path with a line feed', packed({ path: 'a\nb', content: 'x' }), /control characters/],
    ['a path that is too deep', packed({ path: 'a/b/c/d/e/f', content: 'x' }), /deeper than 5/],
    [
      'a symbolic link that leads out',
      packed({ path: 'a/link', type: 'SymbolicLink', linkpath: '../../outside' }),
      /leads out of the package/,
    ],
    [
      'an absolute symbolic link',
      packed({ path: 'link', type: 'SymbolicLink', linkpath: '/etc/passwd' }),
      /link to an absolute path/,
    ],
    [
      'a file through a link',
      packed(
        { path: 'link', type: 'SymbolicLink', linkpath: '.' },
        { path: 'link/file', content: 'x' },
      ),
      /"link" is a folder and something else/,
    ],
    [
      'links that lead out together',
      packed(
        { path: 'a/b', type: 'Directory' },
        { path: 'x', type: 'SymbolicLink', linkpath: 'a/b' },
        { path: 'y', type: 'SymbolicLink', linkpath: 'x/../../../outside' },
      ),
      /leads out/,
    ],
    [
      'a link to nothing',
      packed({ path: 'l', type: 'SymbolicLink', linkpath: 'no' }),
      /link to nothing/,
    ],
    [
      'a hard link that leads out',
      packed({ path: 'l', type: 'Link', linkpath: '../../auth.json' }),
      /leads out/,
    ],
    [
      'a hard link to nothing',
      packed({ path: 'l', type: 'Link', linkpath: 'no' }),
      /no file before it/,
    ],
    ['a device', packed({ path: 'null', type: 'CharacterDevice' }), /is a CharacterDevice/],
    ['a pipe', packed({ path: 'pipe', type: 'FIFO' }), /is a FIFO/],
    ['a setuid bit', packed({ path: 'su', content: 'x', mode: 0o4755 }), /setuid/],
    ['a setgid bit', packed({ path: 'sg', content: 'x', mode: 0o2755 }), /setuid, setgid/],
    ['a file twice', packed({ path: './main.mjs', content: 'x' }), /is there twice/],
    [
      'a file as a folder',
      packed({ path: 'main.mjs/x', content: 'x' }),
      /a folder and something else/,
    ],
    [
      'too many files',
      packed(...Array.from({ length: 60 }, (_, i) => ({ path: `f${i}`, content: '' }))),
      /more than 50 files/,
    ],
    [
      'a bomb by its ratio',
      packed({ path: 'zeros', content: Buffer.alloc(6_000_000) }),
      /100 times its size/,
    ],
    [
      'a bomb by its size',
      packed(
        { path: 'zeros', content: Buffer.alloc(8_000_000) },
        { path: 'random', content: random.subarray(0, 300_000) },
      ),
      /more than 8000000 bytes unpacked|100 times its size/,
    ],
    ['a package without a manifest', gzipSync(tarOf([MAIN])), /has no manifest\.json/],
    [
      'a manifest that is no JSON',
      gzipSync(tarOf([{ path: 'manifest.json', content: '{' }])),
      /not JSON/,
    ],
    ['a name that is none', appPackage('../up'), /name: .* is not a name of 1 to 32/],
    ['a name with capitals', appPackage('Upper'), /name: "Upper" is not a name/],
    [
      'a manifest without a start',
      appPackage('bad', STAYS, { start: [] }),
      /start: needs at least 1 entry/,
    ],
    ['a program that is not there', appPackage('bad', STAYS, { start: ['./no'] }), /start\[0\]/],
    ['a program of the system', appPackage('bad', STAYS, { start: ['/bin/sh'] }), /start\[0\]/],
    ['a file that cannot run', appPackage('bad', STAYS, { start: ['main.mjs'] }), /start\[0\]/],
    ['too much memory', appPackage('bad', STAYS, { memoryMb: 9999 }), /memoryMb: 9999 is above/],
    ['a deb without data', debOf(tarOf([])).subarray(0, 200), /damaged Debian package/],
    ['a deb for another machine', debFor('Package: bad\nArchitecture: s390x\n'), /it is for s390x/],
    [
      'a deb of another name',
      debFor('Package: other\nArchitecture: all\n'),
      /says Package: other, its manifest/,
    ],
    ['a deb without a control', debFor(''), /names no Package/],
    ['a deb packed by lzma', debFor('Package: bad\n', '.lzma'), /not known; allowed: gz, xz, zst/],
    [
      'a deb with a path that leads out',
      debOf(tarOf([{ path: './../outside', content: 'x' }]), { control: 'Package: bad\n' }),
      /leads out/,
    ],
  ];
  for (const [name, bytes, message] of bad) {
    t.test(`refused: ${name}`, async (t) => {
      const answer = await apps.install(bytes);
      t.match(answer, { status: 400, json: { code: 1, message } });
      t.match(answer.json.message, /^filename: /);
      t.same(await apps.list(), []);
      t.same(readdirSync(join(base, 'staging')), []);
      t.notOk(existsSync(outside));
      t.notOk(existsSync(join(base, 'outside')));
      t.notOk(existsSync(join(base, 'installed', 'bad')));
    });
  }

  t.test('a file that is too large is refused before it is unpacked', async (t) => {
    t.match(await apps.install(Buffer.alloc(500_000)), {
      status: 400,
      json: { message: 'url: the file is above the limit of 400000 bytes' },
    });
    apps.server.answer = (_request, response) => {
      // Without a length, it shows only on the way.
      for (let i = 0; i < 50; i++) response.write(Buffer.alloc(10_000));
      response.end();
    };
    t.match(await apps.install(Buffer.alloc(0)), {
      status: 400,
      json: { message: /above the limit of 400000/ },
    });
    apps.server.answer = (request, response) => apps.server.serve(request, response);
  });

  t.test('links within the package, folders and modes are as they should be', async (t) => {
    const script = answering(
      '(name) => readFileSync(new URL(name, import.meta.url), "utf8")',
      `import { readFileSync } from 'node:fs';`,
    );
    const bytes = gzipSync(
      tarOf([
        manifest('links', { start: ['./bin/run'] }),
        { path: 'bin', type: 'Directory', mode: 0o2700 },
        { path: 'bin/run', content: '#!/usr/bin/env node\nimport("../main.mjs");\n', mode: 0o700 },
        { path: 'main.mjs', content: script, mode: 0o600 },
        { path: 'data/a.txt', content: 'text a' },
        { path: 'data/hard.txt', type: 'Link', linkpath: 'data/a.txt' },
        { path: 'soft.txt', type: 'SymbolicLink', linkpath: 'data/a.txt' },
      ]),
    );
    await apps.installed(bytes);
    await apps.do('links', 'start');
    await apps.connected('links');
    for (const name of ['data/a.txt', 'data/hard.txt', 'soft.txt']) {
      t.match(await apps.send('links', name), { status: 200, json: { response: 'text a' } }, name);
    }
    await apps.do('links', 'uninstall');
  });

  const content = [
    { path: './', type: 'Directory' } as const,
    { path: './opt/tool/', type: 'Directory' } as const,
    { ...manifest('tool'), path: './opt/tool/manifest.json' },
    { path: './opt/tool/main.mjs', content: STAYS },
    { path: './usr/share/doc/tool/copyright', content: 'mine' },
  ];
  const programs: [string, string | undefined][] = [
    ['', ''],
    ['.gz', ''],
    ['.xz', findProgram('xz')],
    ['.zst', findProgram('zstd')],
  ];
  for (const [suffix, program] of programs) {
    t.test(`a deb with data.tar${suffix} is installed where its program is there`, async (t) => {
      if (program === undefined) {
        const deb = debOf(tarOf(content), { control: 'Package: tool\n', suffix: '' });
        const renamed = Buffer.from(
          deb.toString('latin1').replace('data.tar    ', `data.tar${suffix.padEnd(4)}`),
          'latin1',
        );
        t.match(
          (await apps.install(renamed, 'tool.deb')).json.message,
          /which this reader does not have/,
        );
        return;
      }
      const deb = debOf(tarOf(content), { control: 'Package: tool\nArchitecture: all\n', suffix });
      t.match(await apps.install(deb, 'tool_1.0.0_all.deb'), { status: 200 });
      await apps.do('tool', 'start');
      await until('it runs', () => apps.app('tool')?.runningStatus);
      const { versions } = { versions: join(base, 'installed', 'tool', 'versions') };
      const [version = ''] = readdirSync(versions);
      t.same(readdirSync(join(versions, version)).sort(), ['main.mjs', 'manifest.json']);
      if (program !== '') {
        const half = Buffer.from(deb);
        half.fill(0x55, half.length - 60);
        t.match((await apps.install(half, 'tool.deb')).json.message, /damaged/);
      }
      await apps.do('tool', 'uninstall');
    });
  }

  t.test('a package of dpkg-deb is installed', async (t) => {
    const folder = temporaryFolder(t);
    const app = join(folder, 'package', 'opt', 'real');
    mkdirSync(app, { recursive: true });
    mkdirSync(join(folder, 'package', 'DEBIAN'));
    for (const path of [folder, join(folder, 'package'), join(folder, 'package', 'DEBIAN')])
      chmodSync(path, 0o755);
    const control =
      'Package: real\nVersion: 2.5\nArchitecture: all\nMaintainer: me <me@example.com>\nDescription: x\n';
    writeFileSync(join(folder, 'package', 'DEBIAN', 'control'), control);
    writeFileSync(join(app, 'manifest.json'), String(manifest('real', { version: '2.5' }).content));
    writeFileSync(join(app, 'main.mjs'), STAYS);
    execFileSync('dpkg-deb', [
      '--root-owner-group',
      '-Zgzip',
      '--build',
      join(folder, 'package'),
      join(folder, 'real.deb'),
    ]);
    t.match(await apps.install(readFileSync(join(folder, 'real.deb')), 'real_2.5_all.deb'), {
      status: 200,
    });
    t.match(apps.app('real'), { version: '2.5' });
    await apps.do('real', 'uninstall');
  });

  t.test('a package that is refused leaves the version that runs alone', async (t) => {
    await apps.installed(appPackage('kept', answering('() => "1"')));
    await apps.do('kept', 'start');
    await apps.connected('kept');
    const pid = reader.gateway.apps.pid('kept');
    const wrong = gzipSync(tarOf([manifest('kept', { version: '2' }), MAIN, { path: '../x' }]));
    t.equal((await apps.install(wrong)).status, 400);
    t.equal(reader.gateway.apps.pid('kept'), pid);
    t.match(apps.app('kept'), { version: '1.0.0', runningStatus: true });
    t.match(await apps.send('kept', ''), { json: { response: '1' } });
  });
});

function broken(archive: Buffer): Buffer {
  archive[1] = 0x58;
  return archive;
}

function debFor(control: string, suffix = '.gz'): Buffer {
  return debOf(tarOf([manifest('bad'), MAIN]), { control, suffix });
}
