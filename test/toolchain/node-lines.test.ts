/** Which Node.js runs this: said once to npm, and by one clear line to who has another. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { bundled } from '../../bench/footprint/programs.js';
import { PACKAGE_ROOT } from '../../src/shared/package-info.js';

const read = async <Module>(name: string) =>
  (await import(`${PACKAGE_ROOT}/toolchain/${name}.mjs`)) as Module;
const { ENGINES, LINES } = await read<{ ENGINES: string; LINES: { tried: string }[] }>(
  'node-lines',
);
const { checkNode } = await read<{ checkNode(version?: string): void }>('system');
const { SetupError } = await read<{ SetupError: typeof Error }>('steps');

const ALLOWED = '20 (20.17 or newer), 22 (22.12 or newer), 24 or 26';
const lineFor = (version: string) =>
  `Node.js ${version} runs this; Singulate needs Node.js ${ALLOWED}`;

t.test('package.json asks for the lines that are tried', async (t) => {
  const { engines } = JSON.parse(readFileSync(join(PACKAGE_ROOT, 'package.json'), 'utf8'));
  t.equal(engines.node, ENGINES);
  const { packages } = JSON.parse(readFileSync(join(PACKAGE_ROOT, 'package-lock.json'), 'utf8'));
  t.equal(packages[''].engines.node, ENGINES, 'and the lock file');
});

t.test('the first version of each line runs this, and what is tried of it', async (t) => {
  const versions = [process.versions.node, '20.17.0', '22.12.0', '24.0.0', '26.0.0'];
  for (const version of [...versions, ...LINES.map(({ tried }) => tried)]) {
    t.doesNotThrow(() => checkNode(version), version);
  }
});

t.test('any other gets one line that names what is needed', async (t) => {
  for (const version of ['18.20.8', '20.16.0', '21.7.3', '22.11.0', '23.0.0', '25.1.0', '27.0.0']) {
    t.throws(() => checkNode(version), new SetupError(lineFor(version)));
  }
});

/** The Node.js that runs this, which says that it is of another version. */
function runAs(t: Test, version: string, script: string, ...args: string[]) {
  const versions = `{ ...process.versions, node: '${version}' }`;
  const pretend = `Object.defineProperty(process, 'versions', { value: ${versions} });`;
  const file = join(t.testdir({ 'pretend.cjs': pretend }), 'pretend.cjs');
  return new Promise<{ code: unknown; stdout: string; stderr: string }>((resolve) => {
    execFile(process.execPath, ['--require', file, script, ...args], (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : error.code, stdout, stderr }),
    );
  });
}

t.test('each program of the bundle ends with that line, as for a wrong setting', async (t) => {
  for (const program of ['cli', 'radio-control', 'reader-gateway']) {
    const { code, stdout, stderr } = await runAs(t, '25.9.0', bundled(program), '--help');
    const line = `singulate: ${lineFor('25.9.0')}\n`;
    t.strictSame({ code, stdout, stderr }, { code: 2, stdout: '', stderr: line });
  }
  const { code, stdout } = await runAs(t, '26.10.0', bundled('cli'), '--help');
  t.equal(code, 0);
  t.match(stdout, /^Usage: singulate/);
});

t.test('npm start ends with that line before it installs or builds anything', async (t) => {
  const bootstrap = join(PACKAGE_ROOT, 'toolchain/bootstrap.mjs');
  const { code, stdout, stderr } = await runAs(t, '23.11.1', bootstrap, 'start');
  const line = `singulate: ${lineFor('23.11.1')}\n`;
  t.strictSame({ code, stdout, stderr }, { code: 1, stdout: '', stderr: line });
});
