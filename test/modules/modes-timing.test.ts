/**
 * Dwell, pauses, start and stop conditions on an emulated module. It has the time of the machine,
 * so its lengths are bounded from below exactly, and from above by what says that it does not
 * wait for ever; those of the simulated radio, which has a virtual clock, are exact.
 */
import t, { type Test } from 'tap';
import { tagsOf } from '../modes/on-air.js';
import { type Both, openBoth, readBoth, runBoth, runningBoth, sameReports } from './on-module.js';

const EVERY = { reportFilter: { duration: 0, type: 'RADIO_WIDE' } };
const DISABLED = { delayBetweenAntennaCycles: { type: 'DISABLED', duration: 0 } };
const ONE = {
  type: 'CUSTOM',
  antennas: [1],
  query: { session: 'S0', target: 'AB' },
  ...DISABLED,
};
/** How long a busy machine may keep a module waiting. */
const LATE_MS = 30_000;
const each = ({ module, simulated }: Both) => [simulated, module];
const ms = ({ status }: Both['module']) => status.airTimeNs / 1e6;

/** Both read for at least so long; the simulated one for less than `high`. */
function lasts(t: Test, { module, simulated }: Both, low: number, high: number): void {
  const [virtual, real] = [ms(simulated), ms(module)];
  t.ok(virtual >= low && virtual < high, `simulated: ${virtual} ms of ${low} to ${high}`);
  t.ok(real >= low && real < high + LATE_MS, `module: ${real} ms`);
}

t.test('DURATION keeps each antenna for so long', async (t) => {
  const both = await runBoth(
    t,
    {
      ...ONE,
      ...EVERY,
      antennas: [1, 2],
      antennaStopCondition: { type: 'DURATION', value: 100 },
      tagMetaData: ['ANTENNA'],
    },
    { cycles: 2 },
  );
  sameReports(t, both, false);
  lasts(t, both, 400, 410);
  for (const reading of each(both)) {
    t.equal(reading.status.cycles, 2);
  }
});

t.test('INVENTORY_COUNT is a number of rounds', async (t) => {
  const both = await runBoth(
    t,
    {
      ...ONE,
      ...EVERY,
      antennas: [1, 2],
      antennaStopCondition: [
        { type: 'INVENTORY_COUNT', value: 3 },
        { type: 'INVENTORY_COUNT', value: 5 },
      ],
      tagMetaData: ['ANTENNA'],
    },
    { cycles: 2 },
  );
  sameReports(t, both, false);
  for (const { status } of each(both)) t.equal(status.rounds, 16);
});

t.test('SINGLE_INVENTORY_LIMITED_DURATION cuts its one round', async (t) => {
  const both = await runBoth(
    t,
    {
      type: 'SIMPLE',
      query: { session: 'S0' },
      antennaStopCondition: { type: 'SINGLE_INVENTORY_LIMITED_DURATION', value: 50 },
    },
    { tags: tagsOf(200) },
  );
  lasts(t, both, 195, 205);
  for (const reading of each(both)) {
    t.equal(reading.status.rounds, 4);
    t.ok(reading.events.length > 0 && reading.events.length < 200, 'not enough for all');
  }
});

t.test('the default is one round of at most 1/N seconds', async (t) => {
  const short = await runBoth(t, { type: 'SIMPLE', antennas: [1, 2] });
  sameReports(t, short);
  for (const { status } of each(short)) t.equal(status.rounds, 2);
  const long = await runBoth(
    t,
    { type: 'SIMPLE', query: { session: 'S0' } },
    { tags: tagsOf(200) },
  );
  lasts(t, long, 995, 1005);
});

t.test('GPI leaves the antenna when the input has its level for the debounce time', async (t) => {
  const level = { port: 1, signal: 'LOW', debounceTime: 30 };
  const mode = {
    ...ONE,
    ...EVERY,
    antennas: [1, 2],
    antennaStopCondition: [
      { type: 'GPI', value: level },
      { type: 'INVENTORY_COUNT', value: 1 },
    ],
    tagMetaData: ['ANTENNA'],
  };
  for (const running of await runningBoth(t)) {
    running.setInput(1, true);
    running.start(mode);
    const first = await running.until(({ rounds }) => rounds > 5);
    t.same([...new Set(first.map(({ antenna }) => antenna))], [1]);
    running.setInput(1, false);
    await running.until((_, reads) => reads.some(({ antenna }) => antenna === 2));
    await running.stop();
  }
});

t.test('NO_TAGS waits after a cycle without tags, DISABLED does not', async (t) => {
  const mode = (type: string, duration: number) => ({
    ...ONE,
    delayBetweenAntennaCycles: { type, duration },
  });
  const radios = await openBoth(t, { tags: [] });
  const waits = await readBoth(radios, mode('NO_TAGS', 75), { cycles: 5 });
  const does = await readBoth(radios, mode('DISABLED', 0), { cycles: 5 });
  lasts(t, waits, 300, 330);
  lasts(t, does, 0, 30);
  for (const name of ['simulated', 'module'] as const) {
    t.equal(waits[name].status.cycles, 5);
  }
});

t.test(
  'NO_TAGS does not wait while there are tags, NO_UNIQUE_TAGS while there are new ones',
  async (t) => {
    const mode = (type: string) => ({
      ...ONE,
      query: { session: 'S0' },
      delayBetweenAntennaCycles: { type, duration: 300 },
    });
    const radios = await openBoth(t);
    const reads = await readBoth(radios, mode('NO_TAGS'), { cycles: 3 });
    lasts(t, reads, 0, 300);
    const fresh = await readBoth(radios, mode('NO_UNIQUE_TAGS'), { cycles: 3 });
    // After the second cycle only: the first brought new tags, the third is the end.
    lasts(t, fresh, 300, 600);
  },
);

for (const [name, radioStopConditions, reason] of [
  ['duration', { duration: 0.25 }, 'duration'],
  ['antennaCycles', { antennaCycles: 7 }, 'cycles'],
  ['tagCount', { tagCount: 5 }, 'tag count'],
  ['durationAfterNoMoreUniqueTags', { durationAfterNoMoreUniqueTags: 0.5 }, 'no new tags'],
  ['the first that is met', { duration: 5, antennaCycles: 1000, tagCount: 3 }, 'tag count'],
] as const) {
  t.test(`${name} ends reading`, async (t) => {
    const both = await runBoth(t, { ...ONE, ...EVERY, radioStopConditions });
    if (name === 'duration') lasts(t, both, 249, 251);
    if (reason === 'no new tags') lasts(t, both, 500, 600);
    for (const reading of each(both)) {
      const { status, events } = reading;
      t.equal(status.endReason, reason);
      if (name === 'antennaCycles') t.equal(status.cycles, 7);
      if (name === 'tagCount') t.equal(events.length, 5);
    }
  });
}

t.test('tagCount ends in the middle of a round', async (t) => {
  const both = await runBoth(
    t,
    { ...ONE, ...EVERY, radioStopConditions: { tagCount: 30 } },
    { tags: tagsOf(200) },
  );
  for (const { status, events } of each(both)) {
    t.equal(status.reads, 30);
    t.equal(events.length, 30);
    t.equal(status.rounds, 1);
  }
});

t.test('an input starts and stops reading', async (t) => {
  for (const running of await runningBoth(t)) {
    running.setInput(2, true);
    running.start({
      ...ONE,
      radioStartConditions: { type: 'GPI', gpis: [{ port: 2, signal: 'LOW', debounceTime: 20 }] },
      radioStopConditions: { gpis: [{ port: 2, signal: 'HIGH', debounceTime: 15 }] },
    });
    await running.until(({ waiting }) => waiting);
    await new Promise((resolve) => setTimeout(resolve, 50));
    t.match(running.status(), { waiting: true, reads: 0 });
    running.setInput(2, false);
    await running.until(({ reads }) => reads >= 10);
    running.setInput(2, true);
    await running.until((status) => !status.running);
    t.match(running.status(), { endReason: 'input', periods: 1 });
  }
});

t.test('a schedule begins at its time, again and again', async (t) => {
  for (const running of (await runningBoth(t)).slice(1)) {
    const at = Date.now() + 500;
    running.start({
      ...ONE,
      radioStartConditions: {
        type: 'SCHEDULE',
        schedule: { at: new Date(at).toISOString(), every: 1 },
      },
      radioStopConditions: { duration: 0.2 },
    });
    await running.until(({ waiting }) => waiting);
    t.equal(running.status().reads, 0);
    const reports = await running.until(({ periods, waiting }) => periods >= 2 && waiting);
    await running.stop();
    for (const { timeNs } of reports) {
      const { low, high } = timeNs as unknown as { low: number; high: number };
      const since = Number(((BigInt(high >>> 0) << 32n) | BigInt(low >>> 0)) / 1_000_000n) - at;
      t.ok(since >= 0, `${since} ms after its time`);
    }
  }
});
