/** Start conditions that come again. */
import t from 'tap';
import { atMs } from './on-air.js';
import { Running } from './running.js';

const CUSTOM = {
  type: 'CUSTOM',
  antennas: [1],
  query: { session: 'S0', target: 'AB' },
  delayBetweenAntennaCycles: { type: 'DISABLED', duration: 0 },
};
const begins = (packets: { kind: string; timeNs: bigint }[]) => {
  const ons = packets.filter(({ kind }) => kind === 'carrierOn').map(atMs);
  return ons.filter((ms, i) => i === 0 || ms - (ons[i - 1] as number) > 500);
};

t.test('GPI_WITH_RESTART reads again at each new edge, and reports afresh', async (t) => {
  const running = new Running({
    field: { inputs: [{ port: 1, changeSeconds: [1, 2], periodSeconds: 3 }] },
  });
  running.start({
    ...CUSTOM,
    radioStartConditions: { type: 'GPI_WITH_RESTART', gpis: [{ port: 1, signal: 'LOW' }] },
    radioStopConditions: { antennaCycles: 3 },
  });
  const reports = await running.until(({ periods, waiting }) => periods >= 3 && waiting);
  await running.stop();
  const starts = begins(running.packets()).slice(0, 3);
  t.same(
    starts.map((ms) => Math.floor(ms / 100)),
    [10, 40, 70],
    'at 1, 4 and 7 s: while it stays LOW nothing begins',
  );
  t.ok(reports.length >= 30, 'each of the ten tags, each time');
});

t.test('a schedule with a period begins again and again', async (t) => {
  const running = new Running({});
  running.start({
    ...CUSTOM,
    radioStartConditions: {
      type: 'SCHEDULE',
      schedule: { at: '2026-01-01T00:00:02Z', every: 5 },
    },
    radioStopConditions: { duration: 0.2 },
  });
  await running.until(({ periods }) => periods >= 4);
  await running.stop();
  t.same(
    begins(running.packets())
      .slice(0, 3)
      .map((ms) => Math.floor(ms / 10)),
    [200, 700, 1200],
  );
});

t.test('a start by GPI without restart ends with its reading', async (t) => {
  const running = new Running({
    field: { inputs: [{ port: 1, changeSeconds: [1, 2], periodSeconds: 3 }] },
  });
  running.start({
    ...CUSTOM,
    radioStartConditions: { type: 'GPI', gpis: [{ port: 1, signal: 'LOW' }] },
    radioStopConditions: { antennaCycles: 3 },
  });
  await running.until((status) => !status.running);
  t.equal(running.status().endReason, 'cycles');
  t.equal(running.status().periods, 1);
});

t.test('an input that is told from outside starts and stops', async (t) => {
  const running = new Running({ field: { paced: true } });
  running.setInput(2, true);
  running.start({
    ...CUSTOM,
    radioStartConditions: { type: 'GPI', gpis: [{ port: 2, signal: 'LOW' }] },
    radioStopConditions: { gpis: [{ port: 2, signal: 'HIGH' }] },
  });
  await new Promise((resolve) => setTimeout(resolve, 50));
  t.ok(running.status().waiting);
  t.equal(running.packets().length, 0);
  running.setInput(2, false);
  await running.until(({ reads }) => reads >= 10);
  running.setInput(2, true);
  await running.until((status) => !status.running);
  t.equal(running.status().endReason, 'input');
});
