/** The whole reader on a radio module: REST, both services, a cable that is pulled. */
import t from 'tap';
import { Product } from '../e2e/product.js';
import { emulated } from './emulated.js';

/** A machine may be slow. */
const WAIT_MS = 30_000;

t.test('a reader reads with its module, says when it is gone, and goes on with it', async (t) => {
  const { path, emulator } = await emulated(t);
  const product = await Product.start({ args: ['--radio', `mercury:${path}`] });
  t.teardown(() => product.dispose());
  const status = async () => (await product.call('GET', '/cloud/status')).json;
  const until = (check: () => Promise<boolean>, what: string) =>
    product.until(check, what, WAIT_MS);
  const reads = async () => (await status()).tagReads.reads;

  await until(async () => (await reads()) > 20, 'tags are read');
  t.match(await status(), {
    radioConnection: 'connected',
    radioActivity: 'active',
    antennas: { 1: 'connected' },
  });
  t.ok(
    product.lines.some(({ msg, model }) => /module is connected/.test(msg ?? '') && model !== ''),
    'the log names the module',
  );

  t.ok(emulator.inject('unplug'));
  await until(
    async () => (await status()).radioConnection === 'disconnected',
    'REST says that the module is gone',
  );
  t.equal((await status()).radioActivity, 'inactive');
  const before = await reads();
  t.ok(emulator.inject('replug'));
  await until(async () => (await status()).radioActivity === 'active', 'it reads again');
  await until(async () => (await reads()) > before + 20, 'tags are read, in the same inventory');
  t.equal((await status()).tagReads.missed, 0);
  const starts = product.lines.filter(({ msg }) => msg === 'reading started');
  t.equal(starts.length, 1, 'the plan went on by itself');

  t.equal((await product.call('PUT', '/cloud/stop')).status, 200);
  await until(
    async () => (await status()).antennas[4] === 'disconnected',
    'the module says where it has no antenna',
  );
  await until(async () => (await status()).temperature === 29, 'the module tells its temperature');
});
