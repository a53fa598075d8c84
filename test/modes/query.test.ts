import t from 'tap';
import { epcOf, named, runMode } from './on-air.js';

const everyRead = { duration: 0, type: 'RADIO_WIDE' };

t.test('session, target and Sel of each antenna are in its Query', async (t) => {
  const { commands } = await runMode({
    type: 'CUSTOM',
    antennas: [1, 2, 3],
    query: [{ session: 'S2' }, { session: 3, target: 'B' }, { session: 'S0', sel: 'NOT_SL' }],
    reportFilter: everyRead,
  });
  const of = (port: number) =>
    named(commands, 'Query')
      .filter(({ antenna }) => antenna === port)
      .map(({ session, target, sel }) => ({ session, target, sel }));
  t.same(of(1)[0], { session: 2, target: 0, sel: 0 });
  t.same(of(2)[0], { session: 3, target: 1, sel: 0 });
  t.same(of(3)[0], { session: 0, target: 0, sel: 2 });
});

t.test('target AB reads all tags in every round, first A, then B', async (t) => {
  const { commands, reads } = await runMode(
    {
      type: 'CUSTOM',
      antennas: [1],
      query: { session: 'S2', target: 'AB' },
      antennaStopCondition: { type: 'INVENTORY_COUNT', value: 4 },
      reportFilter: everyRead,
    },
    {},
  );
  t.equal(reads.length, 40);
  const targets = named(commands, 'Query').map(({ target }) => target);
  t.same(
    targets.filter((target, i) => target !== targets[i - 1]),
    [0, 1, 0, 1],
  );
});

t.test('tagPopulation is the first frame', async (t) => {
  const q = async (tagPopulation: number) => {
    const { commands } = await runMode({ type: 'CUSTOM', antennas: [1], query: { tagPopulation } });
    return named(commands, 'Query')[0]?.q;
  };
  t.equal(await q(1), 0);
  const large = await q(500);
  t.ok(large === 9 || large === 10, `Q ${large} for 500 tags`);
});

t.test('tags with SL take part with Sel SL, all others with NOT_SL', async (t) => {
  const select = {
    target: 'SL',
    action: 'ASSERTSL_DEASSERTSL',
    membank: 'EPC',
    pointer: 32 + 92,
    length: 4,
    mask: '30',
  };
  const ids = async (sel: string) => {
    const mode = { type: 'CUSTOM', antennas: [1], query: { sel }, select: [select] };
    return (await runMode(mode)).events.map(({ data }) => data.idHex).sort();
  };
  t.same(await ids('SL'), [epcOf(3)]);
  t.same((await ids('NOT_SL')).length, 9);
  t.same((await ids('ALL')).length, 10);
});
