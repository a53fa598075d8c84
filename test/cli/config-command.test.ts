/** `singulate config`. */
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { takeLock } from '../../src/cli/state-lock.js';
import { ReaderSettings } from '../../src/reader-gateway/api/reader-settings.js';
import { run, runAlone } from './command.js';

const config = (...args: string[]) => run('config', ...args);

/** Its path is short enough for a Unix socket. */
function folder(t: Test): string {
  const dir = mkdtempSync(join(tmpdir(), 'singulate-'));
  t.teardown(() => rmSync(dir, { recursive: true }));
  return dir;
}

const POST = {
  type: 'httpPost',
  name: 'p',
  options: {
    URL: 'http://127.0.0.1/',
    security: {
      authenticationType: 'BASIC',
      authenticationOptions: { username: 'u', password: 'hidden!' },
    },
  },
};
const CONFIG = {
  'READER-GATEWAY': { endpointConfig: { data: { event: { connections: [POST] } } } },
};

function stateDir(t: Test): string {
  const dir = folder(t);
  writeFileSync(join(dir, 'config.json'), JSON.stringify(CONFIG));
  writeFileSync(join(dir, 'mode.json'), '{"type": "SIMPLE", "antennas": [2]}');
  return dir;
}

/** Every key of the schema, at whatever depth. */
function keysOf(schema: unknown, keys = new Set<string>()): Set<string> {
  if (typeof schema !== 'object' || schema === null) return keys;
  const { properties, type } = schema as { properties?: object; type?: unknown };
  // What may be a list as well is shown as that.
  if (Array.isArray(type) && type.includes('array')) return keys;
  for (const key of Object.keys(properties ?? {})) keys.add(key);
  for (const inner of Object.values(schema)) keysOf(inner, keys);
  return keys;
}

t.test('template has every key, and is a file that the product takes', async (t) => {
  const { code, stdout } = await config('template');
  t.equal(code, 0);
  for (const key of keysOf(ReaderSettings)) t.ok(stdout.includes(`"${key}": `), key);
  t.match(stdout, 'default 60');
  t.match(stdout, 'takes effect: reconnects');
  t.same(await runAlone('config', 'template'), { code, stdout, stderr: '' }, 'as a process too');
  const dir = folder(t);
  const file = join(dir, 'template.jsonc');
  writeFileSync(file, stdout);
  t.match(await config('check', file), { code: 0, stdout: `${file}: settings: right\n` });
  t.match(await config('import', file, '--state-dir', dir), { code: 0, stdout: /imported/ });
  // A key that is no comment any more.
  writeFileSync(
    file,
    stdout.replace('// "environment": "HIGH_INTERFERENCE",', '"environment": "DEMO",'),
  );
  t.match(await config('import', file, '--state-dir', dir), { code: 0 });
  t.match(JSON.parse(readFileSync(join(dir, 'mode.json'), 'utf8')), { environment: 'DEMO' });
});

t.test('check', async (t) => {
  const dir = folder(t);
  const file = join(dir, 'file.json');
  const check = async (content: string) => {
    writeFileSync(file, content);
    return config('check', file);
  };

  t.test('takes each kind of file', async (t) => {
    for (const [content, kind] of [
      [{ xml: '' }, 'reader configuration'],
      [CONFIG, 'reader configuration'],
      [CONFIG['READER-GATEWAY'], 'cloud configuration'],
      [{ type: 'SIMPLE' }, 'operating mode'],
      [{ type: 'CUSTOM', beams: [{ beam: 1 }] }, 'operating mode'],
      [{ mode: { type: 'SIMPLE' }, config: CONFIG }, 'settings'],
    ] as const) {
      const { code, stdout } = await check(JSON.stringify(content));
      t.match(stdout, kind);
      if (!stdout.includes('beam')) t.equal(code, 0, stdout);
    }
  });

  t.test('finds the fields that an import would refuse', async (t) => {
    for (const [content, message] of [
      [{ xml: '', colour: 'red' }, 'colour: is not known here'],
      [{ logs: { colour: 'red' } }, 'logs.colour: is not known here'],
      [{ 'READER-GATEWAY': { colour: 'red' } }, 'READER-GATEWAY.colour: is not known here'],
    ] as const) {
      t.match(await check(JSON.stringify(content)), { code: 1, stdout: message });
    }
    const mode = { type: 'SIMPLE', colour: 'red' };
    t.match(await check(JSON.stringify({ mode })), { code: 0 }, 'a mode may have them');
  });

  t.test('tells everything that is wrong, with its path', async (t) => {
    const { code, stdout } = await check(`{
      // a comment
      "config": {"READER-GATEWAY": {"endpointConfig": {"data": {"event": {"connections": [
        {"type": "tcpip-server", "options": {"tcpipport": 99999}},
      ]}}}}},
      "mode": {"type": "SIMPLE", "transmitPower": 99},
      "cableLoss": {"1": {"cableLength": -1, "cableLossPerHundredFt": 0}},
      "typo": 1,
    }`);
    t.equal(code, 1);
    const paths = stdout.split('\n').map((line) => line.slice(file.length + 2).split(':')[0]);
    t.same(paths.slice(0, -2).sort(), [
      'cableLoss[1].cableLength',
      'config.READER-GATEWAY.endpointConfig.data.event.connections[0].options.tcpipport',
      'mode.transmitPower',
      'typo',
    ]);
    t.match(stdout, `${file}: settings: 4 wrong\n`);
  });

  t.test('says where a file is no JSON, and that there is none', async (t) => {
    t.match(await check('{\n  "mode": nope\n}'), {
      code: 2,
      stderr: /file\.json:2:11: not JSON: /,
    });
    t.match(await check('[]'), { code: 1, stdout: /\[\] is not an object/ });
    t.match(await check('{"formatVersion": 9}'), {
      code: 1,
      stdout: /version 9, written by newer/,
    });
    t.match(await config('check', join(dir, 'none')), { code: 2, stderr: /cannot be read/ });
    t.match(await config('check'), { code: 2, stderr: /needs a file/ });
    t.match(await config('chekc'), {
      code: 2,
      stderr: /allowed: template, check, export, import, reset/,
    });
  });
});

t.test('export', async (t) => {
  const dir = stateDir(t);
  const to = (...args: string[]) => config('export', ...args, '--state-dir', dir);

  t.test('has no secrets', async (t) => {
    const { code, stdout } = await to();
    t.equal(code, 0);
    t.match(JSON.parse(stdout), { config: {}, mode: { antennas: [2] } });
    t.notMatch(stdout, 'hidden!');
    t.match(stdout, '"********"');
  });

  t.test('has them only in a file that nobody else can read', async (t) => {
    t.match(await to('--with-secrets'), { code: 2, stdout: '', stderr: /needs a FILE/ });
    const file = join(folder(t), 'export.json');
    writeFileSync(file, 'before');
    chmodSync(file, 0o640);
    t.match(await to(file, '--with-secrets'), { code: 2, stderr: /open to others \(mode 0640\)/ });
    t.equal(readFileSync(file, 'utf8'), 'before');
    chmodSync(file, 0o600);
    t.match(await to(file, '--with-secrets'), { code: 0 });
    t.match(readFileSync(file, 'utf8'), 'hidden!');
    rmSync(file);
    t.match(await to(file, '--with-secrets'), { code: 0 });
    t.equal(statSync(file).mode & 0o777, 0o600);
  });
});

t.test('import', async (t) => {
  const dir = stateDir(t);
  const file = join(folder(t), 'settings.json');
  const from = async (content: object) => {
    writeFileSync(file, JSON.stringify(content));
    return config('import', file, '--state-dir', dir);
  };
  const stored = (name: string) => JSON.parse(readFileSync(join(dir, name), 'utf8'));

  t.test('keeps the secrets that are masked', async (t) => {
    const { stdout } = await config('export', '--state-dir', dir);
    const settings = JSON.parse(stdout);
    settings.mode = { type: 'SIMPLE', antennas: [3] };
    t.match(await from(settings), { code: 0 });
    t.match(stored('mode.json'), { formatVersion: 1, antennas: [3] });
    t.match(readFileSync(join(dir, 'config.json'), 'utf8'), 'hidden!');
  });

  t.test('changes nothing if anything is wrong', async (t) => {
    const { code, stdout } = await from({ config: { xml: 5 }, mode: { type: 'SIMPLE' } });
    t.equal(code, 1);
    t.match(stdout, 'config.xml: 5 is not a text');
    t.match(stdout, 'nothing was imported');
    t.match(stored('mode.json'), { antennas: [3] });
  });

  t.test('is refused while the reader runs', async (t) => {
    const release = takeLock(dir);
    const refused = { code: 2, stderr: /in use by another running instance/ };
    t.match(await from({}), refused);
    t.match(await runAlone('config', 'import', file, '--state-dir', dir), refused);
    release();
    // Services that an init system started have no lock.
    const server = createServer().listen(join(dir, 'radio.sock'));
    await once(server, 'listening');
    t.match(await from({}), { code: 2, stderr: /in use by running services/ });
    server.close();
    t.match(await config('import', file, '--state-dir', join(dir, 'none')), {
      code: 2,
      stderr: /is not there/,
    });
  });
});

t.test('reset asks, or is told --yes', async (t) => {
  const dir = stateDir(t);
  writeFileSync(join(dir, 'auth.json'), '{}');
  t.match(await config('reset', '--state-dir', dir), { code: 2, stderr: /allowed: --yes/ });
  t.ok(existsSync(join(dir, 'config.json')));
  t.match(await config('reset', '--yes', '--state-dir', dir), {
    code: 0,
    stdout: /the login, the network/,
  });
  t.notOk(existsSync(join(dir, 'config.json')));
  t.notOk(existsSync(join(dir, 'mode.json')));
  t.ok(existsSync(join(dir, 'auth.json')));
});
