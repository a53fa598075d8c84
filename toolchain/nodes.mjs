/**
 * `npm run test:nodes [-- --quick]`: each line of Node.js runs what this one built. npm would install what is
 * locked, the addon's tests, those of the kept code and of user applications, one reader from end to end, a
 * start to the first tag event, and a minute of `bench -- footprint`, whose figures are printed as a table;
 * --quick leaves the last out.
 * Prints last "N passed, N failed".
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { build, NPM, ROOT } from './build.mjs';
import { fetchNode, LINES } from './node-lines.mjs';
import { run, SetupError } from './steps.mjs';
import { testsIn } from './tests.mjs';

const TESTS = [
  ...testsIn('test/addon'),
  ...testsIn('test/bundle'),
  'test/e2e/rest-and-mqtt.test.ts',
  // Limits of processes, which Node.js itself has to start with.
  'test/gateway/apps-running.test.ts',
];
const FRONT_DOOR = join(ROOT, 'toolchain/bootstrap.mjs');
/** Of the bench, in the order of the table. */
const FIGURES = [
  'node_start_seconds',
  'first_event_seconds',
  'first_event_over_node_start',
  'first_event_cpu_seconds',
  'resident_mb',
  'proportional_mb',
  'cpu_share_1300',
  'wake_us',
  'load_average',
];

const counts = { passed: 0, failed: 0 };

function note(name, wrong = '') {
  counts[wrong === '' ? 'passed' : 'failed']++;
  console.log(`${wrong === '' ? '✓' : '✗'} ${name}${wrong === '' ? '' : `\n${wrong}`}`);
}

/** Packages that say which Node.js they want keep nobody from installing them. */
async function installs(version, env) {
  const args = ['ci', '--dry-run', ...NPM, '--prefer-offline'];
  const { code, output } = await run('npm', args, { cwd: ROOT, env });
  note(`${version}: npm would install what is locked`, code === 0 ? '' : output);
}

/** @param env With the version first in its PATH, as a user has it. */
async function tests(version, env) {
  const { output } = await run('node', [FRONT_DOOR, 'test', ...TESTS], { cwd: ROOT, env });
  const [, passed, failed] = /^(\d+) passed, (\d+) failed$/m.exec(output) ?? [];
  if (passed === undefined || failed !== '0') note(`${version}: tests`, output);
  else {
    counts.passed += Number(passed);
    console.log(`✓ ${version}: ${passed} tests`);
  }
}

/**
 * The command as `npm start` runs it. It must say nothing on standard error, and neither it nor a service may do
 * what this Node.js advises against: that throws here, and ends them.
 */
async function firstEvent(version, env) {
  const stateDir = mkdtempSync(join(tmpdir(), 'singulate-nodes-'));
  const ports = ['--rest-port', await freePort(), '--mqtt-port', await freePort()];
  const options = ['--state-dir', stateDir, ...ports];
  const child = spawn('node', [FRONT_DOOR, 'start', ...options, '--log-format', 'json'], {
    cwd: ROOT,
    env: { ...env, NODE_OPTIONS: '--throw-deprecation' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  let seen = false;
  child.stderr.on('data', (text) => (said += text));
  const closed = once(child, 'close');
  for await (const line of createInterface({ input: child.stdout })) {
    if (!line.includes('"msg":"first tag event"')) continue;
    seen = true;
    child.kill('SIGTERM');
  }
  const [code] = await closed;
  rmSync(stateDir, { recursive: true, force: true });
  const wrong = seen && code === 0 && said === '' ? '' : `ended with ${code}: ${said}`;
  note(`${version}: npm start gives a tag event, and ends as it is asked to`, wrong);
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  return String(port);
}

/** @returns The figures of the table; of a bench that failed none. */
async function footprint(version, env) {
  const args = [FRONT_DOOR, 'bench', 'footprint', '--minutes', '1', '--json'];
  const { code, output } = await run('node', args, { cwd: ROOT, env });
  const figures = code === 0 ? JSON.parse(output.slice(output.indexOf('{'))) : {};
  const isWhole = FIGURES.every((name) => Number.isFinite(figures[name]));
  note(`${version}: bench -- footprint --minutes 1`, isWhole ? '' : output);
  return figures;
}

/** Of the addon that all of them load. */
function addon() {
  return createHash('sha256')
    .update(readFileSync(join(ROOT, 'out/host/singulate.node')))
    .digest('hex');
}

async function main(args) {
  const unknown = args.find((arg) => arg !== '--quick');
  if (unknown !== undefined) throw new SetupError(`${unknown} given; allowed: --quick`);
  await build({ tools: true });
  const compiled = addon();
  const rows = [];
  for (const { tried } of LINES) {
    const folder = await fetchNode(tried, process.arch, ROOT);
    const env = { ...process.env, PATH: `${join(folder, 'bin')}${delimiter}${process.env.PATH}` };
    const { output } = await run('node', ['--version'], { env });
    note(`${tried} runs`, output === `v${tried}\n` ? '' : output);
    await installs(tried, env);
    await firstEvent(tried, env);
    await tests(tried, env);
    if (args.length === 0) rows.push([tried, await footprint(tried, env)]);
  }
  note(
    'all of them ran with one addon, compiled once',
    addon() === compiled ? '' : 'it is another',
  );
  if (rows.length > 0) {
    console.log(`| Node.js | ${FIGURES.join(' | ')} |\n|---|${FIGURES.map(() => '---|').join('')}`);
    for (const [version, figures] of rows) {
      console.log(`| ${version} | ${FIGURES.map((name) => figures[name] ?? '').join(' | ')} |`);
    }
  }
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof SetupError)) throw error;
  note('the lines of Node.js', error.message);
}
console.log(`${counts.passed} passed, ${counts.failed} failed`);
process.exitCode = counts.failed > 0 ? 1 : 0;
