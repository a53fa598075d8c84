/** Memory banks in tagMetaData on an emulated module: read while it reads, or tag by tag after it. */
import t from 'tap';
import { epcOf, tagsOf } from '../modes/on-air.js';
import { openBoth, readBoth, runBoth, sameReports } from './on-module.js';

/** One round, however long it takes. */
const ONE = {
  type: 'SIMPLE',
  antennas: [1],
  antennaStopCondition: { type: 'INVENTORY_COUNT', value: 1 },
  query: { tagPopulation: 10 },
};

t.test('one bank is read in the round', async (t) => {
  const both = await runBoth(t, { ...ONE, tagMetaData: ['TID'] });
  sameReports(t, both);
  t.equal(both.module.events.length, 10);
  for (const { data } of both.module.events) t.match(data.TID, /^e2801160/);
});

t.test('whole banks are in the events as they are in the tags', async (t) => {
  const tags = tagsOf(10);
  const both = await runBoth(
    t,
    {
      ...ONE,
      tagMetaData: ['TID', 'USER', 'EPC', 'RESERVED'],
    },
    { tags },
  );
  sameReports(t, both);
  t.equal(both.module.events.length, 10);
  for (const { data } of both.module.events) {
    const tag = tags.find(({ epc }) => epc === data.idHex);
    t.match(data, { TID: tag?.tid, USER: tag?.user, RESERVED: '0'.repeat(16) });
    t.match(data.EPC, new RegExp(`^[0-9a-f]{4}3000${data.idHex}`), 'StoredCRC, PC, EPC');
  }
});

t.test('word ranges are read as they were asked for, in their order', async (t) => {
  const both = await runBoth(
    t,
    {
      ...ONE,
      tagMetaData: ['USER[1,3-5]', 'TID[2]', 'EPC[3, 2]'],
    },
    { tags: tagsOf(3) },
  );
  sameReports(t, both);
  t.match(both.module.events[0].data, { USER: '223366778899aabb', TID: '2000' });
});

t.test('a bank that cannot be read has a status, the others are there', async (t) => {
  const tags = [...tagsOf(1), { epc: epcOf(99), tid: 'e2801160' }];
  const both = await runBoth(t, { ...ONE, tagMetaData: ['TID[3-5]', 'USER[0]'] }, { tags });
  sameReports(t, both);
  const { data } = both.module.events.find((event) => event.data.idHex === epcOf(99));
  t.same(data.bankStatus, { TID: 'memory overrun' });
  t.equal(both.module.status.accessFailed, both.simulated.status.accessFailed);
});

t.test('banks are read after the access password, and before what changes them', async (t) => {
  const run = {
    tags: tagsOf(1, { accessPassword: 10, killPassword: 0x11112222, lock: 0b10_00_00_00_00 }),
  };
  const both = await runBoth(
    t,
    {
      ...ONE,
      tagMetaData: ['RESERVED[0-1]'],
      access: [
        { type: 'ACCESS', config: { password: '0000000a' } },
        { type: 'WRITE', config: { membank: 'RESERVED', wordPointer: 0, data: '99999999' } },
      ],
    },
    run,
  );
  sameReports(t, both);
  t.match(both.module.events[0].data, {
    RESERVED: '11112222',
    accessResults: ['SUCCESS', 'SUCCESS'],
  });
});

t.test('replies that are lost cost some memory, not the tag', async (t) => {
  const run = { tags: tagsOf(40), field: { replyLoss: 0.1 } };
  const radios = await openBoth(t, run);
  const mode = { ...ONE, query: { session: 'S0', tagPopulation: 40 }, tagMetaData: ['TID'] };
  const { simulated, module } = await readBoth(radios, mode);
  for (const { events } of [simulated, module]) {
    const read = events.filter(({ data }) => data.TID !== undefined);
    t.ok(read.length / events.length > 0.7, `${read.length} of ${events.length} have a TID`);
    t.ok(read.every(({ data }) => data.TID.endsWith(data.idHex.slice(-8))));
  }
});
