/** antennaStopCondition on the air clock. */
import t from 'tap';
import { atMs, named, runMode, tagsOf } from './on-air.js';

/** From one switching of the antenna to the next, milliseconds. */
function visits(packets: { kind: string; antenna: number; timeNs: bigint }[]): number[] {
  const ons = packets.filter(({ kind }) => kind === 'carrierOn');
  return ons.slice(1).map((on, i) => atMs(on) - atMs(ons[i] as { timeNs: bigint }));
}

for (const value of [25, 100, 400]) {
  t.test(`DURATION ${value} ms is kept within 1 %`, async (t) => {
    const { packets, status } = await runMode(
      {
        type: 'CUSTOM',
        antennas: [1, 2],
        query: { session: 'S0', target: 'AB' },
        antennaStopCondition: { type: 'DURATION', value },
        reportFilter: { duration: 0, type: 'RADIO_WIDE' },
        delayBetweenAntennaCycles: { type: 'DISABLED', duration: 0 },
      },
      { cycles: 4, tags: tagsOf(40), field: { channelRule: { dwellMs: 60_000 } } },
    );
    for (const ms of visits(packets)) {
      t.ok(Math.abs(ms - value) <= value / 100, `${ms} ms`);
    }
    const total = status.airTimeNs / 1e6;
    t.ok(Math.abs(total - 8 * value) <= (8 * value) / 100, `${total} ms in all`);
  });
}

t.test('INVENTORY_COUNT is a number of rounds', async (t) => {
  const { status, packets } = await runMode(
    {
      type: 'CUSTOM',
      antennas: [1, 2],
      query: { session: 'S0', target: 'AB' },
      antennaStopCondition: [
        { type: 'INVENTORY_COUNT', value: 3 },
        { type: 'INVENTORY_COUNT', value: 5 },
      ],
      reportFilter: { duration: 0, type: 'RADIO_WIDE' },
    },
    { cycles: 2 },
  );
  t.equal(status.rounds, 16);
  t.equal(packets.filter(({ kind }) => kind === 'carrierOn').length, 4);
});

t.test('the default is one round of at most 1/N seconds', async (t) => {
  const short = await runMode({ type: 'SIMPLE' });
  t.equal(short.status.rounds, 4);
  const many = { tags: tagsOf(400), field: { channelRule: { dwellMs: 60_000 } } };
  const long = await runMode({ type: 'SIMPLE', query: { session: 'S0' } }, many);
  for (const ms of visits(long.packets)) t.ok(Math.abs(ms - 250) <= 2.5, `${ms} ms`);
  t.ok(long.reads.length < 400, 'a quarter of a second is not enough for all');
});

t.test('SINGLE_INVENTORY_LIMITED_DURATION cuts its one round', async (t) => {
  const { status, packets } = await runMode(
    {
      type: 'SIMPLE',
      antennaStopCondition: { type: 'SINGLE_INVENTORY_LIMITED_DURATION', value: 50 },
    },
    { tags: tagsOf(300), field: { channelRule: { dwellMs: 60_000 } } },
  );
  t.equal(status.rounds, 4);
  for (const ms of visits(packets)) t.ok(Math.abs(ms - 50) <= 0.5, `${ms} ms`);
});

t.test('GPI leaves the antenna when the input has its level for the debounce time', async (t) => {
  const { commands } = await runMode(
    {
      type: 'CUSTOM',
      antennas: [1, 2],
      query: { session: 'S0', target: 'AB' },
      antennaStopCondition: [
        { type: 'GPI', value: { port: 1, signal: 'LOW', debounceTime: 30 } },
        { type: 'INVENTORY_COUNT', value: 1 },
      ],
      reportFilter: { duration: 0, type: 'RADIO_WIDE' },
    },
    { field: { inputs: [{ port: 1, changeSeconds: [0.05, 0.06, 0.2] }] } },
  );
  const queries = named(commands, 'Query');
  const second = queries.find(({ antenna }) => antenna === 2);
  const ms = atMs(second as { timeNs: bigint });
  t.ok(ms > 230 && ms < 240, `10 ms of LOW at 50 ms do not count; it left after ${ms} ms`);
  t.ok(queries.filter(({ antenna }) => antenna === 1).length > 3, 'rounds went on until then');
});
