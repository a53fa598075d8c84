import t from 'tap';
import type { AirPacket } from '../../src/radio-control/addon/addon.js';
import { SESSION_ACTIONS, SL_ACTIONS } from '../../src/reader-gateway/mode/select.js';
import { atMs, epcOf, named, runMode } from './on-air.js';

const select = (more: object) => ({
  target: 'SL',
  action: 'ASSERTSL_DEASSERTSL',
  membank: 'EPC',
  pointer: 32,
  length: 16,
  mask: '3034',
  ...more,
});

t.test('Selects go out before the Query of every round, as they were set', async (t) => {
  const { commands } = await runMode({
    type: 'CUSTOM',
    antennas: [1],
    antennaStopCondition: { type: 'INVENTORY_COUNT', value: 2 },
    select: [
      select({ target: 'S1', action: 'INVA_INVB', pointer: 0x1234 }),
      select({ membank: 'TID', pointer: 8, length: 7, mask: 'ab' }),
      select({ membank: 'USER', length: 0, mask: '' }),
      select({ membank: 'RES', action: 'NOTHING_NEGATESL', length: 4, mask: 'f0' }),
    ],
  });
  const selects = named(commands, 'Select');
  t.equal(selects.length, 8);
  t.match(selects[0], { target: 1, action: 0, bank: 1, pointer: 0x1234, length: 16, mask: '3034' });
  t.match(selects[1], { target: 4, action: 0, bank: 2, pointer: 8, length: 7, mask: 'aa' });
  t.match(selects[2], { target: 4, bank: 3, length: 0, mask: '' });
  t.match(selects[3], { target: 4, action: 7, bank: 0, length: 4, mask: 'f0' });
  t.equal(commands.indexOf(selects[3] as never), 3, 'then the Query');
  t.equal(commands[4]?.command, 'Query');
});

t.test('each action name is its Gen2 action', async (t) => {
  const send = async (target: string, names: readonly string[]) => {
    const list = names.map((action) => select({ target, action }));
    const { commands } = await runMode({ type: 'CUSTOM', antennas: [1], selects: list });
    return named(commands, 'Select').map(({ action }) => action);
  };
  t.same(await send('SL', SL_ACTIONS), [0, 1, 2, 3, 4, 5, 6, 7]);
  t.same(await send('S3', SESSION_ACTIONS), [0, 1, 2, 3, 4, 5, 6, 7]);
});

t.test('an array of arrays is a list per antenna', async (t) => {
  const { commands } = await runMode({
    type: 'CUSTOM',
    antennas: [1, 2],
    select: [[select({})], [select({ membank: 'TID' }), select({ membank: 'USER' })]],
  });
  const of = (port: number) =>
    named(commands, 'Select')
      .filter(({ antenna }) => antenna === port)
      .map(({ bank }) => bank);
  t.same(of(1), [1]);
  t.same(of(2), [2, 3]);
});

t.test('INVB_INVA in S3 with target B reads the matching tags, every time', async (t) => {
  const { events } = await runMode(
    {
      type: 'CUSTOM',
      antennas: [1],
      reportFilter: { duration: 0, type: 'PER_ANTENNA' },
      query: { sel: 'ALL', session: 'S3', target: 'B' },
      selects: [
        select({ target: 'S3', action: 'INVB_INVA', pointer: 32 + 88, length: 8, mask: '07' }),
      ],
    },
    { cycles: 3 },
  );
  t.same(
    events.map(({ data }) => data.idHex),
    [epcOf(7), epcOf(7), epcOf(7)],
  );
});

t.test('with truncate tags send what lies after the mask', async (t) => {
  const { events } = await runMode({
    type: 'CUSTOM',
    antennas: [1],
    query: { sel: 'SL', session: 'S0' },
    select: [select({ length: 64, mask: epcOf(0).slice(0, 16), truncate: 32 })],
  });
  t.equal(events.length, 10);
  t.same(
    events.map(({ data }) => data.idHex).sort(),
    Array.from({ length: 10 }, (_, i) => epcOf(i).slice(16)).sort(),
  );
});

for (const delayAfterSelects of [1, 5, 20, 65]) {
  t.test(`delayAfterSelects ${delayAfterSelects} ms is kept within 1 % on the air`, async (t) => {
    const { commands } = await runMode(
      { type: 'CUSTOM', antennas: [1], select: [select({})], delayAfterSelects },
      { cycles: 3 },
    );
    // The Select itself ends one command time after its start: measured against no delay.
    const none = await runMode({ type: 'CUSTOM', antennas: [1], select: [select({})] });
    const gap = (list: typeof commands, i: number) => {
      const at = list.indexOf(named(list, 'Select')[i] as AirPacket);
      return atMs(list[at + 1] as never) - atMs(list[at] as never);
    };
    const t4 = 0.15; // 2 RTcal of M4-250
    const command = gap(none.commands, 0) - t4;
    for (let i = 0; i < 3; i++) {
      const delay = gap(commands, i) - command;
      t.ok(Math.abs(delay - delayAfterSelects) <= delayAfterSelects / 100, `${delay} ms`);
    }
  });
}
