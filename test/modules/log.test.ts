/** What the log says of a module: one line for each loss, each return and each new complaint. */
import t from 'tap';
import { RadioState, ReportFilter } from '../../src/contract/messages.js';
import { counterToNumber } from '../../src/contract/time.js';
import type { NativeLink } from '../../src/radio-control/addon/addon.js';
import type { RadioNews } from '../../src/radio-control/events/event-log.js';
import { ModuleLink } from '../../src/radio-control/module/module-link.js';
import { createLogger } from '../../src/shared/log.js';
import { emulated, radioOn, until } from './emulated.js';

type Line = { msg: string; reason?: string; reconnects?: number; complaint?: string };

const LOST = 'the radio module is not connected, it is looked for';
const FOUND = 'the radio module is connected';

const linesOf = (log: string): Line[] =>
  log
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line));

const PLAN = { reportFilter: { kind: ReportFilter.Kind.ONCE } };

for (const fault of ['reset', 'hang', 'unplug']) {
  t.test(`${fault} while it reads: a line when it is lost, a line when it is back`, async (t) => {
    const { path, emulator } = await emulated(t);
    const { client, service } = await radioOn(t, path);
    const status = () => client.getStatus();
    const reads = async () => counterToNumber((await status()).counters?.reads);
    const reconnects = async () => counterToNumber((await status()).link?.reconnects);
    await until(
      async () => (await status()).state === RadioState.RADIO_STATE_IDLE,
      'the module is connected',
    );
    await client.startInventory({ plan: PLAN, owner: 'test' });
    await until(async () => (await reads()) > 20, 'tags are read');
    t.ok(emulator.inject(fault));
    if (fault === 'unplug') t.ok(emulator.inject('replug'));
    await until(async () => {
      // It hangs until it is given up.
      if (fault === 'hang' && (await status()).link?.connected) emulator.inject(fault);
      return (await reconnects()) > 0;
    }, 'it is lost and found');
    const before = await reads();
    await until(async () => (await reads()) > before + 20, 'reading goes on');
    await client.stopInventory();
    const times = await reconnects();
    const of = (message: string) => linesOf(service.log()).filter(({ msg }) => msg === message);
    await until(() => of(FOUND).length >= times + 1, 'the log has the last return');
    t.equal(of(LOST).length, times, 'a line for each loss');
    t.same(
      of(FOUND).map((line) => line.reconnects),
      Array.from({ length: times + 1 }, (_, i) => i),
      'a line for each return',
    );
    for (const { reason } of of(LOST)) t.ok(reason, 'with its reason');
  });
}

t.test('antennas that are missing are one line, and so is each that is back', async (t) => {
  // Of four ports that a plan without antennas reads on, the field has two.
  const { path, emulator } = await emulated(t);
  const { client, service } = await radioOn(t, path);
  const status = () => client.getStatus();
  await until(
    async () => (await status()).state === RadioState.RADIO_STATE_IDLE,
    'the module is connected',
  );
  await client.startInventory({ plan: PLAN, owner: 'test' });
  const complaint = async () => (await status()).link?.complaint;
  const cycles = async () => counterToNumber((await status()).counters?.cycles);
  const SOME = 'no antenna on ports 3 and 4';
  const ALL = 'no antenna on ports 1, 2, 3 and 4';
  const logged = () =>
    linesOf(service.log())
      .filter(({ msg }) => msg.startsWith('the radio module complains'))
      .map((line) => line.complaint);
  await until(() => logged().length === 1, 'they are missed');
  const before = await cycles();
  await until(async () => (await cycles()) > before + 2, 'it reads on with the others');
  t.ok(emulator.inject('antenna-pulled'));
  await until(() => logged().length === 2, 'the others are missed too');
  t.equal(await complaint(), ALL);
  t.ok(emulator.inject('antenna-back'));
  await until(() => logged().length === 3, 'they are back');
  t.same(logged(), [SOME, ALL, SOME]);
});

t.test('losses between two looks are each in the log', async (t) => {
  const lines: Line[] = [];
  const news: RadioNews[] = [];
  const link: NativeLink = {
    connected: true,
    fault: '',
    lastFault: '',
    reconnects: 0,
    discardedBytes: 0,
    crcErrors: 0,
    overflows: 0,
    complaint: '',
  };
  const radio = {
    open: async () => {},
    close: () => {},
    health: async () => ({ antennas: [] }),
    link: () => link,
    status: () => ({ running: true }),
    capabilities: () => ({ model: 'a module', firmware: '1' }),
    tendLines: async () => {},
  };
  const log = createLogger(
    'test',
    {},
    {
      write: (line: string) => {
        lines.push(JSON.parse(line));
      },
    },
  );
  const watcher = new ModuleLink(
    radio as unknown as ConstructorParameters<typeof ModuleLink>[0],
    '/dev/line',
    log,
    { hasInputs: false, onNews: (one) => news.push(one) },
  );
  watcher.start(() => {});
  t.teardown(() => watcher.close());
  const messages = () => lines.map(({ msg, reason }) => (msg === LOST ? reason : msg));
  await until(() => lines.length === 1, 'it is found');
  Object.assign(link, { reconnects: 2, lastFault: 'silent' });
  await until(() => lines.length === 5, 'two losses are in the log');
  t.same(messages(), [FOUND, 'silent', FOUND, 'silent', FOUND]);
  Object.assign(link, { reconnects: 3, lastFault: 'again', connected: false, fault: 'gone' });
  await until(() => lines.length === 8, 'a loss, a return and a loss');
  t.same(messages().slice(5), ['again', FOUND, 'gone']);
  Object.assign(link, { reconnects: 4, connected: true, fault: '' });
  await until(() => lines.length === 9, 'the return');
  t.same(
    lines.filter(({ msg }) => msg === FOUND).map(({ reconnects }) => reconnects),
    [0, 1, 2, 3, 4],
  );
  t.equal(news.filter((one) => 'moduleLost' in one).length, 4);
});
