import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import WebSocket from 'ws';
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

t.test('services whose event loops stand are started again, and that is counted', async (t) => {
  const product = await Product.start({
    env: { NODE_OPTIONS: '--inspect-port=0' },
    mayStand: true,
  });
  t.teardown(() => product.dispose());
  const [gateway] = product.pidsOf('reader-gateway') as [number];
  const [radio] = product.pidsOf('radio-control') as [number];
  process.kill(radio, 'SIGSTOP');
  // The real loop of the other one never comes round again. (One that spins would cost a processor.)
  process.kill(gateway, 'SIGUSR1');
  const inspector = () => /ws:\/\/127\.0\.0\.1:\d+\/\S+/.exec(product.stderr)?.[0];
  const debug = new WebSocket(await product.until(inspector, 'it can be debugged'));
  t.teardown(() => debug.terminate());
  debug.on('error', () => {});
  await once(debug, 'open');
  const expression = 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)';
  debug.send(JSON.stringify({ id: 1, method: 'Runtime.evaluate', params: { expression } }));

  const counted = async () => {
    const { text } = await product.call('GET', '/cloud/metrics');
    return SERVICES.every((service) =>
      text.includes(`singulate_service_restarts_total{service="${service}",reason="loop stood"} 1`),
    );
  };
  await product.until(counted, 'both restarts are in the metrics', 120_000);
  const ends = product.lines.filter(({ msg }) => msg === 'service ended and is started again');
  t.match(ends.map(({ service }) => service).sort(), [...SERVICES].sort());
  for (const { how } of ends) t.match(how, /^its event loop stood for \d+ s$/);
  t.not(product.pidsOf('reader-gateway')[0], gateway);
  t.not(product.pidsOf('radio-control')[0], radio);
  await product.until(async () => {
    const { json } = await product.call('GET', '/cloud/status');
    return json.radioActivitiy === 'active' && json.tagReads.reads > 0;
  }, 'reading resumes');
});

t.test('a gateway that ends before it was ready once begins to read all the same', async (t) => {
  const product = await Product.spawn();
  t.teardown(() => product.dispose());
  const begun = () => product.pidsOf('reader-gateway')[0];
  const gateway = await product.until(begun, 'the gateway begins');
  process.kill(gateway, 'SIGKILL');
  await product.until(() => product.login(), 'REST answers', 60_000);
  await product.until(async () => {
    const { json } = await product.call('GET', '/cloud/status');
    return json.tagReads.reads > 0;
  }, 'it reads');
  t.not(begun(), gateway);
});

t.test('nothing is left running when the supervisor itself is killed', async (t) => {
  const product = await Product.start();
  t.teardown(() => product.dispose());
  product.process.kill('SIGKILL');
  const deadline = Date.now() + 60_000;
  const alive = () => SERVICES.flatMap((service) => product.pidsOf(service));
  while (alive().length > 0 && Date.now() < deadline) await sleep(50);
  t.strictSame(alive(), []);
});
