/** Access sequences: what is done to the tags, and what events say of it. */
import t from 'tap';
import { named, runMode, tagsOf } from './on-air.js';

const ONE = { type: 'CUSTOM', antennas: [1], query: { session: 'S2', tagPopulation: 200 } };
const PASSWORD = 'c0ffee11';

t.test('read, write and lock with passwords over 200 tags leave each as asked', async (t) => {
  const run = await runMode(
    {
      ...ONE,
      antennaStopCondition: { type: 'DURATION', value: 60_000 },
      radioStopConditions: { tagCount: 200 },
      accesses: [
        { type: 'ACCESS', config: { password: PASSWORD } },
        { type: 'READ', config: { membank: 'USER', wordPointer: 1, wordCounter: 2 } },
        { type: 'WRITE', config: { membank: 'USER', wordPointer: 0, data: 'cafe0123' } },
        { type: 'WRITE', config: { membank: 'RESERVED', wordPointer: 0, data: 'deadbeef' } },
        { type: 'LOCK', config: { actions: ['WRITE_LOCK_USER_BANK', 'PERMALOCK_EPC_BANK'] } },
      ],
    },
    { tags: tagsOf(200, { accessPassword: 0xc0ffee11, lock: 0b00_00_00_11_10 }) },
  );
  t.equal(run.events.length, 200);
  for (const { data } of run.events) {
    t.same(data.accessResults, ['SUCCESS', '22334455', 'SUCCESS', 'SUCCESS', 'SUCCESS']);
  }
  for (const tag of run.tags) {
    t.equal(tag.user, 'cafe0123445566778899aabbccddeeff');
    t.equal(tag.reserved, 'deadbeefc0ffee11');
    // Kill, access, EPC, TID, USER: EPC permalocked; USER secured as before; TID permalocked.
    t.equal(tag.lock, 0b00_00_11_11_10);
  }
  t.equal(run.status.accessFailed, 0);
  t.equal(named(run.commands, 'Write').length, 200 * 4);
  t.equal(named(run.commands, 'Lock').length, 200);
});

t.test('a tag that leaves midway is reported as such', async (t) => {
  // One tag stands there; the other goes out of reach while its ten words are written.
  const run = await runMode(
    {
      ...ONE,
      antennaStopCondition: { type: 'DURATION', value: 400 },
      access: [
        {
          type: 'WRITE',
          config: { membank: 'USER', wordPointer: 0, data: '1111'.repeat(8) },
        },
        { type: 'READ', config: { membank: 'TID', wordPointer: 0, wordCounter: 2 } },
      ],
    },
    {
      field: {
        groups: [
          {
            waypoints: [
              [0, 0, 0, 0],
              [0.03, 0, 0, 0],
              [0.06, 60, 0, 0],
              [10, 60, 0, 0],
            ],
            periodSeconds: 0,
            tags: [
              {
                epc: Buffer.from('30340000000000000000aaaa', 'hex'),
                offset: [0, 0, 0],
                sensitivityDbm: -20,
                tid: Buffer.from('e28011602000000000000001', 'hex'),
              },
            ],
          },
        ],
      },
    },
  );
  t.equal(run.events.length, 1);
  t.same(run.events[0].data.accessResults, ['FAILED: no reply', 'FAILED: skipped']);
  t.equal(run.status.accessFailed, 1);
  const written = run.reads[0]?.access[0]?.wordsWritten as number;
  t.ok(written > 0 && written < 8, `${written} of 8 words`);
  const user = '1111'.repeat(written).padEnd(32, '0');
  t.equal(run.tags[0]?.user, user, 'the tag has what the result says');
});

t.test('what tags refuse comes back with their Gen2 error', async (t) => {
  const run = await runMode(
    {
      ...ONE,
      access: [
        { type: 'READ', config: { membank: 'TID', wordPointer: 40, wordCounter: 2 } },
        { type: 'WRITE', config: { membank: 'USER', wordPointer: 0, data: 'ffff' } },
        { type: 'READ', config: { membank: 'USER', wordPointer: 0, wordCounter: 1 } },
      ],
    },
    { tags: tagsOf(1, { accessPassword: 1, lock: 0b10 }) },
  );
  t.same(run.events[0].data.accessResults, [
    'FAILED: memory overrun',
    'FAILED: memory locked',
    '0011',
  ]);
  t.same(
    run.reads[0]?.access.map(({ status, error }) => [status, error]),
    [
      [1, 3],
      [1, 4],
      [0, 0],
    ],
  );
});

t.test('a wrong password silences the tag', async (t) => {
  const run = await runMode(
    {
      ...ONE,
      access: [
        { type: 'ACCESS', config: { password: '00000002' } },
        { type: 'READ', config: { membank: 'TID', wordPointer: 0, wordCounter: 0 } },
      ],
    },
    { tags: tagsOf(1, { accessPassword: 1 }) },
  );
  t.match(run.events[0].data.accessResults[0], /^FAILED/);
  t.notOk(JSON.stringify(run.events).includes('00000002'));
});

t.test('KILL silences tags for ever', async (t) => {
  const run = await runMode(
    {
      ...ONE,
      query: { session: 'S0' },
      access: [{ type: 'KILL', config: { password: '12345678' } }],
      reportFilter: { duration: 0, type: 'RADIO_WIDE' },
    },
    { tags: tagsOf(20, { killPassword: 0x12345678 }), cycles: 3 },
  );
  t.equal(run.events.length, 20, 'each was read once, and never again');
  t.ok(run.events.every(({ data }) => data.accessResults[0] === 'SUCCESS'));
  t.ok(run.tags.every(({ killed }) => killed));
});

t.test('blockSize writes blocks, and one result stands for all of them', async (t) => {
  const data = '0001000200030004000500060007';
  const run = await runMode(
    {
      ...ONE,
      access: [
        { type: 'WRITE', config: { membank: 'USER', wordPointer: 1, data, blockSize: 3 } },
        { type: 'READ', config: { membank: 'USER', wordPointer: 0, wordCounter: 0 } },
      ],
    },
    { tags: tagsOf(5) },
  );
  const blocks = named(run.commands, 'BlockWrite').slice(0, 3);
  t.same(
    blocks.map(({ wordPointer, wordCount }) => [wordPointer, wordCount]),
    [
      [1, 3],
      [4, 3],
      [7, 1],
    ],
  );
  t.same(run.events[0].data.accessResults, ['SUCCESS', `0011${data}`]);
});

t.test('an array of arrays is a sequence per antenna', async (t) => {
  const read = (membank: string) => ({
    type: 'READ',
    config: { membank, wordPointer: 0, wordCounter: 1 },
  });
  const run = await runMode({
    type: 'CUSTOM',
    antennas: [1, 2],
    query: { session: 'S0' },
    reportFilter: { duration: 0, type: 'RADIO_WIDE' },
    tagMetaData: ['ANTENNA'],
    access: [[read('TID')], [read('USER'), read('TID')]],
  });
  for (const { data } of run.events) {
    t.same(data.accessResults, data.antenna === 1 ? ['e280'] : ['0011', 'e280']);
  }
  t.equal(run.events.length, 20);
});

t.test('each lock action does what its name says', async (t) => {
  const lockOf = async (...actions: string[]) => {
    const access = [
      { type: 'ACCESS', config: { password: '00000001' } },
      { type: 'LOCK', config: { actions } },
    ];
    const tags = tagsOf(1, { accessPassword: 1 });
    return (await runMode({ ...ONE, access }, { tags })).tags[0]?.lock;
  };
  t.equal(await lockOf('READ_WRITE_LOCK_KILL_PASSWORD'), 0b10_00_00_00_00);
  t.equal(await lockOf('PERMALOCK_KILL_PASSWORD'), 0b11_00_00_00_00);
  t.equal(await lockOf('READ_WRITE_LOCK_ACCESS_PASSWORD'), 0b10_00_00_00);
  t.equal(await lockOf('PERMALOCK_ACCESS_PASSWORD'), 0b11_00_00_00);
  t.equal(await lockOf('WRITE_LOCK_EPC_BANK'), 0b10_00_00);
  t.equal(await lockOf('PERMALOCK_EPC_BANK'), 0b11_00_00);
  t.equal(await lockOf('WRITE_LOCK_TID_BANK'), 0b10_00);
  t.equal(await lockOf('WRITE_LOCK_USER_BANK'), 0b10);
  t.equal(await lockOf('PERMALOCK_USER_BANK'), 0b11);
  t.equal(await lockOf('WRITE_UNLOCK_USER_BANK', 'WRITE_UNLOCK_TID_BANK'), 0);
  t.equal(await lockOf('WRITE_LOCK_EPC_BANK', 'READ_WRITE_LOCK_KILL_PASSWORD'), 0b10_00_10_00_00);
});
