/** radioStartConditions and radioStopConditions on the air clock. */
import t from 'tap';
import { atMs, named, runMode, tagsOf } from './on-air.js';

const ONE = { type: 'CUSTOM', antennas: [1], query: { session: 'S0', target: 'AB' } };
const DISABLED = { delayBetweenAntennaCycles: { type: 'DISABLED', duration: 0 } };
const CUSTOM = { ...ONE, ...DISABLED };

t.test('a start by GPI waits, with the carrier off, until the input has its level', async (t) => {
  const { packets, status } = await runMode(
    {
      ...CUSTOM,
      radioStartConditions: { type: 'GPI', gpis: [{ port: 2, signal: 'LOW', debounceTime: 20 }] },
      radioStopConditions: { duration: 0.1 },
    },
    { field: { inputs: [{ port: 2, changeSeconds: [1, 1.01, 2] }] } },
  );
  const first = atMs(packets[0] as { timeNs: bigint });
  t.equal(packets[0]?.kind, 'carrierOn');
  t.ok(first >= 2020 && first < 2030, `${first} ms: 10 ms of LOW at 1 s do not count`);
  t.equal(status.endReason, 'duration');
  t.ok(status.airTimeNs / 1e6 >= 2120);
  t.equal(status.periods, 1);
});

for (const [name, radioStopConditions, reason, check] of [
  ['duration', { duration: 0.25 }, 'duration', (s: Facts) => near(s.ms, 250)],
  ['antennaCycles', { antennaCycles: 7 }, 'cycles', (s: Facts) => s.cycles === 7],
  ['tagCount', { tagCount: 5 }, 'tag count', (s: Facts) => s.reads === 5],
  [
    'durationAfterNoMoreUniqueTags',
    { durationAfterNoMoreUniqueTags: 0.5 },
    'no new tags',
    (s: Facts) => s.ms > 500 && s.ms < 600,
  ],
  [
    'gpis',
    { gpis: [{ port: 1, signal: 'LOW', debounceTime: 15 }] },
    'input',
    (s: Facts) => s.ms >= 315 && s.ms < 320,
  ],
] as const) {
  t.test(`${name} ends reading`, async (t) => {
    const { status } = await runMode(
      { ...CUSTOM, radioStopConditions },
      { field: { inputs: [{ port: 1, changeSeconds: [0.3] }] } },
    );
    t.equal(status.endReason, reason);
    const facts = { ms: status.airTimeNs / 1e6, cycles: status.cycles, reads: status.reads };
    t.ok(check(facts), JSON.stringify(facts));
  });
}

t.test('the first condition that is met counts', async (t) => {
  const { status } = await runMode({
    ...CUSTOM,
    radioStopConditions: { duration: 5, antennaCycles: 1000, tagCount: 3 },
  });
  t.equal(status.endReason, 'tag count');
});

t.test('a schedule begins at its time', async (t) => {
  const { packets } = await runMode({
    ...CUSTOM,
    radioStartConditions: { type: 'SCHEDULE', schedule: { at: '2026-01-01T00:00:10Z' } },
    radioStopConditions: { duration: 0.1 },
  });
  const ms = atMs(packets[0] as { timeNs: bigint });
  t.ok(ms >= 10_000 && ms < 10_003, `${ms} ms`);
});

t.test('more tags than a round holds: tagCount ends in the middle of it', async (t) => {
  const { status, commands } = await runMode(
    { ...CUSTOM, radioStopConditions: { tagCount: 30 } },
    { tags: tagsOf(200) },
  );
  t.equal(status.reads, 30);
  t.equal(status.rounds, 1);
  t.equal(named(commands, 'ACK').length, 30);
});

interface Facts {
  ms: number;
  cycles: number;
  reads: number;
}
function near(value: number, wanted: number): boolean {
  return Math.abs(value - wanted) <= wanted / 100;
}
