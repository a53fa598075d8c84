import t from 'tap';
import { epcOf, named, runMode } from './on-air.js';

const ids = (events: { data: { idHex: string } }[]) => events.map(({ data }) => data.idHex).sort();

t.test('a prefix is selected on the air: other tags stay silent', async (t) => {
  const value = epcOf(3);
  const { commands, events, status } = await runMode({
    type: 'SIMPLE',
    antennas: [1],
    tagIdFilter: { match: 'prefix', value },
  });
  t.same(ids(events), [value]);
  t.equal(status.reads, 1);
  t.match(named(commands, 'Select')[0], { target: 4, action: 0, bank: 1, pointer: 32, length: 96 });
  t.equal(named(commands, 'Query')[0]?.sel, 3, 'Sel is SL');
});

t.test('an excluded prefix is selected as well, by what does not match', async (t) => {
  const { commands, events } = await runMode({
    type: 'SIMPLE',
    antennas: [1],
    filter: { match: 'prefix', value: epcOf(3), operation: 'exclude' },
  });
  t.equal(events.length, 9);
  t.notOk(ids(events).includes(epcOf(3)));
  t.match(named(commands, 'Select')[0], { target: 4, action: 4, length: 96 });
  t.equal(named(commands, 'Query')[0]?.sel, 3, 'Sel is SL: not every module has ~SL');
});

t.test('a prefix longer than a mask takes two Selects', async (t) => {
  const long = (last: string) => `30${'ab'.repeat(32)}${last}`.padEnd(72, '0');
  const tags = ['01', '02', '03'].map((last) => ({ epc: long(last) }));
  const { commands, events } = await runMode(
    { type: 'SIMPLE', antennas: [1], tagIdFilter: { match: 'prefix', value: long('02') } },
    { tags, field: { models: [{ name: 'long', epcWords: 20 }] } },
  );
  t.same(ids(events), [long('02')]);
  t.same(
    named(commands, 'Select').map(({ action, length }) => [action, length]),
    [
      [0, 248],
      [2, 40],
    ],
  );
  const others = await runMode(
    {
      type: 'SIMPLE',
      antennas: [1],
      tagIdFilter: { match: 'prefix', value: long('02'), operation: 'exclude' },
    },
    { tags, field: { models: [{ name: 'long', epcWords: 20 }] } },
  );
  t.same(ids(others.events), [long('01'), long('03')]);
});

for (const [name, filter, expected] of [
  ['a suffix', { match: 'suffix', value: '0003' }, 1],
  ['an excluded suffix', { match: 'suffix', value: '0003', operation: 'exclude' }, 9],
  ['a suffix in capitals', { match: 'suffix', value: epcOf(11).toUpperCase() }, 1],
  ['a regular expression', { match: 'regex', value: '^3034.*0[2-4]$' }, 3],
  ['an expression in capitals', { match: 'regex', value: '^3034257BF4.*0[2-4]$' }, 3],
  ['an excluded expression', { match: 'regex', value: '0[2-4]$', operation: 'exclude' }, 9],
] as const) {
  t.test(`${name} is filtered before the reports, and counted`, async (t) => {
    const { events, reads, status, rules, commands } = await runMode(
      { type: 'SIMPLE', antennas: [1], tagIdFilter: filter },
      { tags: Array.from({ length: 12 }, (_, i) => ({ epc: epcOf(i) })) },
    );
    const all = 12;
    const wanted = expected === 9 ? all - (name === 'an excluded suffix' ? 1 : 3) : expected;
    t.equal(events.length, wanted);
    t.equal(reads.length, wanted);
    t.equal(status.reads, all, 'the radio read them all');
    t.equal(rules.counters.idFiltered, all - wanted);
    t.equal(named(commands, 'Select').length, 0);
  });
}
