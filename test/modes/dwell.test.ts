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

/** The antennas in the order in which they were asked, without repetition. */
function antennasInTurn(commands: { command?: string; antenna: number }[]): number[] {
  const all = commands.filter(({ command }) => command === 'Query').map(({ antenna }) => antenna);
  return all.filter((antenna, i) => i === 0 || antenna !== all[i - 1]);
}

const everyRead = {
  type: 'CUSTOM',
  antennas: [1, 3],
  query: { session: 'S0' },
  reportFilter: { duration: 0, type: 'RADIO_WIDE' },
  tagMetaData: ['ANTENNA'],
};
const untilLow = { type: 'GPI', value: { port: 2, signal: 'LOW' } };

t.test('GPI: each pulse of the input moves on by one antenna', async (t) => {
  const pulses = Array.from({ length: 8 }, (_, i) => [0.2 + 0.25 * i, 0.25 + 0.25 * i]).flat();
  const { commands, reads } = await runMode(
    { ...everyRead, antennaStopCondition: untilLow },
    { durationMs: 2250, field: { inputs: [{ port: 2, changeSeconds: pulses }] } },
  );
  t.same(antennasInTurn(commands), [1, 3, 1, 3, 1, 3, 1, 3, 1]);
  for (const antenna of [1, 3]) {
    const count = reads.filter((read) => read.antenna === antenna).length;
    t.ok(count >= 40, `${count} reads on antenna ${antenna}: ten tags in each of its visits`);
  }
});

t.test('GPI: a level that holds gives each antenna 1/N of a second', async (t) => {
  const { commands, packets, reads } = await runMode(
    { ...everyRead, antennaStopCondition: untilLow },
    { durationMs: 3000, field: { inputs: [{ port: 2, high: false, changeSeconds: [] }] } },
  );
  t.same(antennasInTurn(commands), [1, 3, 1, 3, 1, 3]);
  for (const ms of visits(packets)) t.ok(Math.abs(ms - 500) <= 5, `${ms} ms`);
  for (const antenna of [1, 3]) {
    t.equal(reads.filter((read) => read.antenna === antenna).length, 30, `antenna ${antenna}`);
  }
});

t.test('GPI beside another condition: a level that holds starves no antenna', async (t) => {
  const { commands, reads } = await runMode(
    { ...everyRead, antennaStopCondition: [{ type: 'DURATION', value: 100 }, untilLow] },
    { durationMs: 1800, field: { inputs: [{ port: 2, high: false, changeSeconds: [] }] } },
  );
  t.same(antennasInTurn(commands), [1, 3, 1, 3, 1, 3]);
  t.equal(reads.filter(({ antenna }) => antenna === 3).length, 30);
  t.ok(reads.some(({ antenna }) => antenna === 1));
});

t.test('GPI: a level that holds counts after its debounce time', async (t) => {
  const value = { port: 2, signal: 'LOW', debounceTime: 800 };
  const { packets } = await runMode(
    { ...everyRead, antennaStopCondition: { type: 'GPI', value } },
    { durationMs: 3000, field: { inputs: [{ port: 2, high: false, changeSeconds: [] }] } },
  );
  for (const ms of visits(packets)) t.ok(Math.abs(ms - 800) <= 8, `${ms} ms`);
});
