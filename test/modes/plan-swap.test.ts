/** Another mode while reading: no tag is missed, and the radio hardly pauses. */
import t from 'tap';
import type { TagRead } from '../../src/contract/messages.js';
import { atMs, epcOf, named, tagsOf } from './on-air.js';
import { Running } from './running.js';

const READING = {
  type: 'CUSTOM',
  antennas: [1],
  query: { session: 'S0' },
  environment: 'LOW_INTERFERENCE',
  reportFilter: { duration: 0, type: 'RADIO_WIDE' },
  delayBetweenAntennaCycles: { type: 'DISABLED', duration: 0 },
};

/** One tag after the other comes for 120 ms, ten at a time. */
const passing = (count: number) => ({
  paced: true,
  groups: Array.from({ length: count }, (_, i) => ({
    waypoints: [
      [0.1 + i * 0.012, 0, 0, 0],
      [0.1 + i * 0.012 + 0.12, 0, 0, 0],
    ] as [number, number, number, number][],
    periodSeconds: 0,
    tags: [
      {
        epc: Buffer.from(epcOf(i), 'hex'),
        offset: [0, 0, 0] as [number, number, number],
        sensitivityDbm: -20,
      },
    ],
  })),
});

t.test('no tag that passes is missed while the plan is changed all the time', async (t) => {
  const running = new Running({ field: passing(150) });
  running.start(READING);
  const seen = new Set<string>();
  const gaps: number[] = [];
  const plans = new Set<number>();
  const take = (reports: TagRead[]) => {
    for (const { epc, plan } of reports) {
      seen.add(Buffer.from(epc).toString('hex'));
      plans.add(plan);
    }
  };
  let changes = 0;
  while (running.status().airTimeNs < 2.2e9) {
    // In turns: other metadata, other filter, another power, another link.
    const next = [
      { ...READING, tagMetaData: ['TID'] },
      { ...READING, reportFilter: { duration: 1, type: 'PER_ANTENNA' } },
      { ...READING, transmitPower: 29 },
      { ...READING, environment: 'DEMO' },
    ][changes % 4] as object;
    running.change(next);
    changes++;
    take(await running.until(({ planChanges }) => planChanges >= changes));
    await new Promise((resolve) => setTimeout(resolve, 40));
    take(running.reports());
    gaps.push(running.status().changeGapNs / 1e6);
  }
  take(await running.stop());
  // As many as the machine has time for.
  t.ok(changes >= 4, `${changes} changes`);
  t.equal(seen.size, 150);
  t.ok(plans.size > changes / 2, 'reads carry the number of their plan');
  const packets = running.packets().filter(({ kind }) => kind === 'command');
  const rounds = named(packets, 'Query').map(atMs);
  const longest = Math.max(...gaps);
  t.comment(`${changes} changes: gap at most ${longest.toFixed(2)} ms of air time`);
  t.ok(longest < 5, `a gap of ${longest} ms: the carrier was switched once, no more`);
  t.ok(rounds.length > changes);
});

t.test('a round under way is finished, and then the new plan begins', async (t) => {
  const running = new Running({ tags: tagsOf(150), field: { paced: true } });
  const slow = { ...READING, environment: 'HIGH_INTERFERENCE' };
  running.start({ ...slow, query: { session: 'S2', target: 'AB' } });
  const before = await running.until(({ reads }) => reads >= 20);
  const number = running.change({
    ...READING,
    query: { session: 'S3', target: 'A' },
    environment: 'HIGH_INTERFERENCE',
  });
  t.equal(number, 1);
  const reports = await running.until((_, reports) => reports.some(({ plan }) => plan === 1));
  await running.stop();
  const commands = running.packets().filter(({ kind }) => kind === 'command');
  const queries = named(commands, 'Query');
  const first = queries.findIndex(({ session }) => session === 3);
  t.ok(first > 0);
  t.ok(
    queries.slice(first).every(({ session }) => session === 3),
    'no round of the old plan comes after it',
  );
  const ofOld = reports.filter(({ plan }) => plan === 0).length;
  t.ok(
    before.length + ofOld >= 150,
    `the old round read ${before.length} tags before the change and ${ofOld} to its end`,
  );
  const { changeGapNs } = running.status();
  t.ok(changeGapNs < 5e6, `gap ${changeGapNs / 1e6} ms, a round takes 700 ms`);
});

t.test('an inventory that has ended takes no plan', async (t) => {
  const running = new Running({});
  running.start({ ...READING, radioStopConditions: { antennaCycles: 1 } });
  await running.until((status) => !status.running);
  t.throws(() => running.change(READING), { code: 'ERR_NOT_RUNNING' });
});

t.test('a change that leaves the report filter as it is reports nothing again', async (t) => {
  const running = new Running({ field: { paced: true } });
  const simple = { ...READING, type: 'SIMPLE', reportFilter: undefined };
  running.start(simple);
  const first = await running.until(({ rounds }) => rounds > 5);
  t.equal(first.length, 10);
  running.change({ ...simple, transmitPower: 25 });
  const more = await running.until(({ planChanges, rounds }) => planChanges === 1 && rounds > 20);
  t.equal(more.length, 0, 'SIMPLE has reported them');
  running.change({ ...simple, type: 'CONVEYOR' });
  const afresh = await running.until((_, reports) => reports.length >= 10);
  t.equal(afresh.length, 10, 'another filter begins afresh');
  t.equal(running.status().periods, 1);
  await running.stop();
});
