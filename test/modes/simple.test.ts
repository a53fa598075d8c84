import t from 'tap';
import { epcOf, named, runMode } from './on-air.js';

t.test('SIMPLE on four antennas reads each tag once, in S1, and reports it once', async (t) => {
  const { commands, packets, reads, events, tags, status } = await runMode({ type: 'SIMPLE' });
  const queries = named(commands, 'Query');
  t.ok(queries.length >= 4, 'each antenna was visited');
  t.same([...new Set(queries.map(({ antenna }) => antenna))], [1, 2, 3, 4]);
  for (const { session, target, sel } of queries) {
    t.same({ session, target, sel }, { session: 1, target: 0, sel: 0 });
  }
  t.equal(packets.filter(({ kind }) => kind === 'carrierOn').length >= 4, true);
  t.equal(named(commands, 'Select').length, 0);
  t.equal(reads.length, 10);
  t.same(new Set(events.map(({ data }) => data.idHex)), new Set(tags.map(({ epc }) => epc)));
  t.ok(
    tags.every(({ flags }) => flags[1] === 'B'),
    'their S1 flags are B',
  );
  t.same(events[0]?.data.idHex.length, epcOf(0).length);
  t.same(Object.keys(events[0]?.data), ['eventNum', 'format', 'idHex']);
  t.ok(status.heldBack >= 30, 'the other antennas met tags whose flag was B');
});
