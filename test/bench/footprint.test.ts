import t from 'tap';
import { footprint } from '../../bench/footprint/footprint.js';
import { memoryOf, slope, sum } from '../../bench/footprint/memory.js';

t.test('a short run measures every part of the footprint', async (t) => {
  // On a busy machine the rate is not what is looked at.
  const { ratios, figures = {} } = await footprint({
    minutes: 0.03,
    starts: 1,
    instructions: false,
    rateTolerance: Number.POSITIVE_INFINITY,
  });
  t.same(Object.keys(ratios), [
    'first_event_seconds',
    'first_event_over_node_start',
    'node_start_seconds',
    'resident_mb',
    'cpu_share_1300',
    'wake_us',
    'growth_mb_10min',
  ]);
  for (const [name, value] of Object.entries(ratios)) {
    t.equal(figures[name], value, `${name} also stands at the top`);
  }
  const of = (name: string) => figures[name] as number;
  // No order: services start side by side, and their log lines come by a pipe.
  for (const name of ['radio_ready_seconds', 'gateway_ready_seconds', 'first_event_seconds']) {
    t.ok(of(name) > 0, name);
  }
  t.ok(of('resident_mb') > 60 && of('resident_mb') < 400, `${of('resident_mb')} MB`);
  t.ok(of('cpu_share_1300') > 0.005 && of('cpu_share_1300') < 2, `${of('cpu_share_1300')}`);
  t.ok(Number.isFinite(of('growth_mb_10min')));
  t.equal(of('lost'), 0);
  t.ok(of('bundle_mb') > 0.5);
  t.ok(of('packages_mb') > 5);
});

t.test('growth is the slope of the memory', async (t) => {
  const points = [0, 1, 2, 3].map((x) => ({ x, y: 100 + 2.5 * x }));
  t.equal(slope(points), 2.5);
  t.equal(slope([{ x: 1, y: 100 }]), 0);
});

t.test('memory of a process is that of the kernel, and adds up', async (t) => {
  const own = memoryOf(process.pid);
  t.ok(own.rssMb > 20 && own.rssMb < 2000, `${own.rssMb} MB`);
  t.equal(sum(own, own).rssMb, 2 * own.rssMb);
  t.equal(sum(own, { rssMb: 1, pssMb: null }).pssMb, null);
});
