/** Which Node.js runs this: said once to npm, and by one clear line to who has another. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { PACKAGE_ROOT } from '../../src/shared/package-info.js';

const read = async <Module>(name: string) =>
  (await import(`${PACKAGE_ROOT}/toolchain/${name}.mjs`)) as Module;
const { ENGINES, LINES } = await read<{ ENGINES: string; LINES: { tried: string }[] }>(
  'node-lines',
);
const { checkNode } = await read<{ checkNode(version?: string): void }>('system');
const { SetupError } = await read<{ SetupError: typeof Error }>('steps');

t.test('package.json asks for the lines that are tried', async (t) => {
  const { engines } = JSON.parse(readFileSync(join(PACKAGE_ROOT, 'package.json'), 'utf8'));
  t.equal(engines.node, ENGINES);
});

t.test('the first version of each line runs this, and what is tried of it', async (t) => {
  const versions = [process.versions.node, '20.17.0', '22.2.0', '24.0.0', '26.0.0'];
  for (const version of [...versions, ...LINES.map(({ tried }) => tried)]) {
    t.doesNotThrow(() => checkNode(version), version);
  }
});

t.test('any other gets one line that names what is needed', async (t) => {
  for (const version of ['18.20.8', '20.16.0', '21.7.3', '22.1.0', '23.0.0', '25.1.0', '27.0.0']) {
    const text = 'Singulate needs Node.js 20 (20.17 or newer), 22 (22.2 or newer), 24 or 26';
    t.throws(() => checkNode(version), new SetupError(`Node.js ${version} runs this; ${text}`));
  }
});
