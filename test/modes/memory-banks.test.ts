/** Memory banks in tagMetaData: read during the inventory. */
import t from 'tap';
import { epcOf, named, runMode, tagsOf } from './on-air.js';

const ONE = { type: 'SIMPLE', antennas: [1], query: { tagPopulation: 10 } };

t.test('whole banks are in the events as they are in the tags', async (t) => {
  const { events, tags } = await runMode({
    ...ONE,
    tagMetaData: ['TID', 'USER', 'EPC', 'RESERVED'],
  });
  t.equal(events.length, 10);
  for (const { data } of events) {
    const tag = tags.find(({ epc }) => epc === data.idHex);
    t.equal(data.TID, tag?.tid);
    t.equal(data.USER, tag?.user);
    t.equal(data.RESERVED, tag?.reserved);
    t.match(data.EPC, new RegExp(`^[0-9a-f]{4}3000${data.idHex}`), 'StoredCRC, PC, EPC');
  }
});

t.test('word ranges are read as they were asked for, in their order', async (t) => {
  const { events, commands } = await runMode({
    ...ONE,
    tagMetaData: ['USER[1,3-5]', 'TID[2]', 'EPC[3, 2]'],
  });
  const { data } = events[0];
  t.equal(data.USER, '2233' + '66778899aabb');
  t.equal(data.TID, '2000');
  t.equal(data.EPC, data.idHex.slice(4, 8) + data.idHex.slice(0, 4));
  const reads = named(commands, 'Read').slice(0, 5);
  t.same(
    reads.map(({ bank, wordPointer, wordCount }) => [bank, wordPointer, wordCount]),
    [
      [1, 3, 1],
      [1, 2, 1],
      [2, 2, 1],
      [3, 1, 1],
      [3, 3, 3],
    ],
  );
});

t.test('a bank that cannot be read has a status, the others are there', async (t) => {
  const tags = [...tagsOf(1), { epc: epcOf(99), tid: 'e2801160' }];
  const { events, status } = await runMode(
    { ...ONE, tagMetaData: ['TID[3-5]', 'USER[0]'] },
    { tags },
  );
  const of = (id: string) => events.find(({ data }) => data.idHex === id).data;
  t.equal(of(epcOf(0)).USER, '0011');
  t.equal(of(epcOf(0)).bankStatus, undefined);
  t.same(of(epcOf(99)).bankStatus, { TID: 'memory overrun' });
  t.notOk('TID' in of(epcOf(99)));
  t.equal(of(epcOf(99)).USER, '0000');
  t.equal(status.accessFailed, 1);
});

t.test('banks are read after the access password, and before what changes them', async (t) => {
  const { events, commands } = await runMode(
    {
      ...ONE,
      tagMetaData: ['RESERVED[0-1]'],
      access: [
        { type: 'ACCESS', config: { password: '0000000a' } },
        { type: 'WRITE', config: { membank: 'RESERVED', wordPointer: 0, data: '99999999' } },
      ],
    },
    { tags: tagsOf(1, { accessPassword: 10, killPassword: 0x11112222, lock: 0b10_00_00_00_00 }) },
  );
  t.equal(events[0].data.RESERVED, '11112222', 'locked, but the password opens it');
  t.same(events[0].data.accessResults, ['SUCCESS', 'SUCCESS']);
  const order = commands
    .map(({ command }) => command)
    .filter((c) => /Access|Read|Write/.test(c ?? ''));
  t.same(order.slice(0, 4), ['Access', 'Access', 'Read', 'Write']);
});

t.test('replies that are lost are asked for again', async (t) => {
  const { events } = await runMode(
    { ...ONE, query: { session: 'S0' }, tagMetaData: ['TID'] },
    { tags: tagsOf(200), field: { replyLoss: 0.1 } },
  );
  const read = events.filter(({ data }) => data.TID !== undefined).length;
  // Without repetition 81 % (Req_RN and Read); only the Req_RN cannot be repeated.
  t.ok(read / events.length > 0.86, `${read} of ${events.length} have a TID`);
});
