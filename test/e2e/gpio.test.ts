/** Inputs and outputs through the whole product: the command, both services, REST. */
import { spawn } from 'node:child_process';
import t from 'tap';
import { COMMAND, run as runCommand } from '../cli/command.js';
import { Product } from './product.js';

/** A machine may be slow. */
const WAIT_MS = 30_000;

t.test('a reader whose inputs are played by the command', async (t) => {
  const product = await Product.start({ args: ['--no-autostart'] });
  t.teardown(() => product.dispose());
  const command = (...args: string[]) => {
    const child = spawn(process.execPath, [COMMAND, ...args, '--state-dir', product.stateDir]);
    t.teardown(() => child.kill('SIGKILL'));
    const said = { out: '' };
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        said.out += chunk;
      });
    }
    return { child, said };
  };
  const run = async (...args: string[]) => {
    const { code, stdout, stderr } = await runCommand(...args, '--state-dir', product.stateDir);
    return `${code} ${stdout}${stderr}`;
  };
  const levels = async (kind: 'gpi' | 'gpo') => (await product.call('GET', `/cloud/${kind}`)).json;
  await product.until(
    async () => (await levels('gpi'))[1] === 'HIGH',
    'the inputs are known',
    WAIT_MS,
  );
  const { said: io } = command('io');

  await t.test('an input that is played is seen over REST, and starts a portal', async (t) => {
    const mode = { type: 'PORTAL', portalSettings: { stopInterval: 1 } };
    t.equal((await product.call('PUT', '/cloud/mode', mode)).status, 200);
    t.equal((await product.call('PUT', '/cloud/start')).status, 200);
    await product.until(
      () => io.out.includes('radio waiting for its start'),
      'io: it waits',
      WAIT_MS,
    );
    t.equal(await run('gpi', '1', 'low'), '0 gpi 1 LOW\n');
    await product.until(
      async () => (await levels('gpi'))[1] === 'LOW',
      'REST has the level',
      WAIT_MS,
    );
    await product.until(
      async () => {
        const { json } = await product.call('GET', '/cloud/status');
        return json.tagReads.reads > 0;
      },
      'the portal reads',
      WAIT_MS,
    );
    await product.until(() => io.out.includes('gpi 1 LOW'), 'io tells it', WAIT_MS);
    t.equal((await product.call('PUT', '/cloud/stop')).status, 200);
  });

  await t.test('an output that is set over REST is seen by the command', async (t) => {
    t.equal((await product.call('PUT', '/cloud/gpo', { port: 2, state: true })).status, 200);
    t.match(await run('gpo'), /^0 gpo 1 LOW\ngpo 2 HIGH\n/);
    await product.until(
      async () => (await levels('gpo'))[2] === 'HIGH',
      'REST has the level',
      WAIT_MS,
    );
  });

  await t.test('after a crash of the radio service outputs are set again', async (t) => {
    const before = io.out.length;
    process.kill(product.pidsOf('radio-control')[0] as number, 'SIGKILL');
    await product.until(
      async () => {
        const [gpi, gpo] = [await levels('gpi'), await levels('gpo')];
        return gpi[1] === 'HIGH' && gpo[2] === 'HIGH';
      },
      'a new radio has its inputs as at the start, and its outputs as they were',
      WAIT_MS,
    );
    const told = () => io.out.slice(before);
    await product.until(() => told().includes('gpi 1 HIGH'), 'io tells it', WAIT_MS);
    t.match(await run('gpo'), /^0 gpo 1 LOW\ngpo 2 HIGH\n/);
  });
});
