import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { Product } from './product.js';

const SERVICES = ['radio-control', 'reader-gateway'] as const;

t.test('a service killed while reading comes back, and reading resumes', async (t) => {
  const product = await Product.start();
  t.teardown(() => product.dispose());
  const tagReads = async () => {
    const { json } = await product.call('GET', '/cloud/status');
    return { ...json.tagReads, activity: json.radioActivitiy };
  };
  const reading = async (what: string) => {
    const before = await product.until(async () => {
      const now = await tagReads();
      return now.activity === 'active' && now;
    }, `${what}: the radio is active`);
    await product.until(
      async () => (await tagReads()).reads > before.reads,
      `${what}: the count of reads grows`,
    );
  };
  await reading('at the start');

  for (const victim of SERVICES) {
    await t.test(`${victim} killed with SIGKILL`, async (t) => {
      const other = victim === 'radio-control' ? 'reader-gateway' : 'radio-control';
      const [killed] = product.pidsOf(victim);
      const [survivor] = product.pidsOf(other);
      process.kill(killed as number, 'SIGKILL');
      await product.until(() => {
        const [pid] = product.pidsOf(victim);
        return pid !== undefined && pid !== killed;
      }, `${victim} runs again`);
      await product.until(() => product.login(), 'REST answers');
      await reading(`after ${victim} was killed`);
      t.strictSame(product.pidsOf(other), [survivor], `${other} lived on`);
      for (const name of readdirSync(product.stateDir).filter((file) => file.endsWith('.json'))) {
        t.doesNotThrow(
          () => JSON.parse(readFileSync(join(product.stateDir, name), 'utf8')),
          `${name} is whole`,
        );
      }
    });
  }

  await t.test('SIGTERM ends everything with exit code 0', async (t) => {
    t.equal(await product.stop(), 0);
    for (const service of SERVICES) t.strictSame(product.pidsOf(service), []);
  });
});

t.test('nothing is left running when the supervisor itself is killed', async (t) => {
  const product = await Product.start();
  t.teardown(() => product.dispose());
  product.process.kill('SIGKILL');
  const deadline = Date.now() + 5000;
  const alive = () => SERVICES.flatMap((service) => product.pidsOf(service));
  while (alive().length > 0 && Date.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  t.strictSame(alive(), []);
});
