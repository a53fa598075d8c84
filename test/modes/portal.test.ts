/** PORTAL: a light barrier starts reading, silence ends it. */
import t from 'tap';
import { atMs, named } from './on-air.js';
import { Running } from './running.js';

t.test('each trigger starts a period that reports each tag afresh per antenna', async (t) => {
  const running = new Running({
    ports: [1, 2],
    field: { inputs: [{ port: 1, changeSeconds: [1, 1.5], periodSeconds: 10 }] },
  });
  // S0: in S1 the tags would still be silent on the second antenna.
  running.start({ type: 'PORTAL', query: { session: 'S0' } });
  const reports = await running.until(({ periods, waiting }) => periods >= 2 && waiting);
  await running.stop();
  const bySecond = (from: number, to: number) =>
    reports.filter(({ timeNs }) => {
      const { low, high } = timeNs as unknown as { low: number; high: number };
      const ns = (BigInt(high >>> 0) << 32n) | BigInt(low >>> 0);
      const ms = atMs({ timeNs: ns });
      return ms >= from * 1000 && ms < to * 1000;
    });
  t.equal(bySecond(0, 1).length, 0, 'nothing before the trigger');
  t.equal(bySecond(1, 10).length, 20, 'ten tags on two antennas');
  t.equal(bySecond(11, 20).length, 20, 'and again');
  const ends = running
    .packets()
    .filter(({ kind }) => kind === 'carrierOff')
    .map(atMs)
    .filter((ms) => ms < 11_000);
  const last = Math.max(...ends);
  t.ok(last > 4000 && last < 4300, `3 s after the last new tag: ${last} ms`);
});

t.test('startTrigger and stopInterval drive the radio', async (t) => {
  const running = new Running({
    field: {
      inputs: [
        { port: 1, changeSeconds: [0.5] },
        { port: 2, high: false, changeSeconds: [2] },
      ],
    },
  });
  running.start({
    type: 'PORTAL',
    modeSpecificSettings: { startTrigger: { port: 2, signal: 'HIGH' }, stopInterval: 0.5 },
  });
  await running.until(({ periods, waiting }) => periods >= 1 && waiting);
  await running.stop();
  const commands = running.packets().filter(({ kind }) => kind === 'command');
  const queries = named(commands, 'Query').map(atMs);
  t.ok((queries[0] as number) >= 2000 && (queries[0] as number) < 2020);
  t.ok(Math.max(...queries) < 2700);
});
