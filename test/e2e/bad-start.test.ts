import { once } from 'node:events';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { prepareState } from '../shared/prepared-state.js';
import { PASSWORD, Product } from './product.js';

async function refused(args: string[]) {
  const product = await Product.spawn({ args });
  if (product.process.exitCode === null) await once(product.process, 'exit');
  const lines = product.stderr.trim().split('\n');
  const { exitCode } = product.process;
  await product.dispose();
  return { exitCode, lines, text: product.stderr };
}

t.test('a busy port is one clear line and exit code 2', async (t) => {
  const busy = createServer().listen(0, '127.0.0.1');
  await once(busy, 'listening');
  t.teardown(() => busy.close());
  const { port } = busy.address() as { port: number };
  for (const option of ['--rest-port', '--mqtt-port', '--grpc-port']) {
    const files = ['--grpc-cert', 'x', '--grpc-key', 'x', '--grpc-client-ca', 'x'];
    const tls = option === '--grpc-port' ? files : [];
    const { exitCode, lines, text } = await refused([option, String(port), ...tls]);
    t.equal(exitCode, 2, option);
    t.equal(lines.length, 1, text);
    t.match(text, option);
    t.match(text, String(port));
  }
});

t.test('a bad option, file or value is one clear line and exit code 2', async (t) => {
  const folder = t.testdir({ 'bad.json': '{"tags": 3}', 'bad.csv': '1,2\nx,y\n' });
  const cases: [string[], RegExp][] = [
    [['--no-such-option'], /no-such-option/],
    [['--rest-port', 'http'], /rest-port/],
    [['--scenario', 'no-such-scenario'], /no-such-scenario.*dock-door/],
    [['--scenario', join(folder, 'bad.json')], /bad\.json/],
    [['--replay', join(folder, 'missing.csv')], /missing\.csv/],
    [['--replay', join(folder, 'bad.csv')], /bad\.csv/],
    [['--scenario', 'dock-door', '--replay', join(folder, 'bad.csv')], /--scenario.*--replay/],
  ];
  for (const [args, expected] of cases) {
    const { exitCode, lines, text } = await refused(args);
    t.equal(exitCode, 2, args.join(' '));
    t.equal(lines.length, 1, text);
    t.match(text, expected);
  }
});

t.test('a damaged state file keeps nobody out, and stays as it is', async (t) => {
  // Not t.testdir(): its long path would be refused for the socket first.
  const stateDir = mkdtempSync(join(tmpdir(), 'singulate-'));
  const path = join(stateDir, 'config.json');
  writeFileSync(path, '{"READER-GATEWAY": ');
  await prepareState(stateDir, PASSWORD);
  const product = await Product.start({ stateDir });
  t.equal((await product.call('GET', '/cloud/config')).status, 200);
  t.equal(readFileSync(path, 'utf8'), '{"READER-GATEWAY": ');
  await product.dispose();
});
