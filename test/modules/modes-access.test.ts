/** Access sequences on an emulated module: the results, and what the tags have afterwards. */
import t, { type Test } from 'tap';
import { type RunOptions, tagsOf } from '../modes/on-air.js';
import { openBoth, readBoth, runBoth, sameReports } from './on-module.js';

/** One round, however long it takes. */
const ONE = {
  type: 'CUSTOM',
  antennas: [1],
  antennaStopCondition: { type: 'INVENTORY_COUNT', value: 1 },
  query: { session: 'S0', tagPopulation: 20 },
  reportFilter: { duration: 0, type: 'RADIO_WIDE' },
};
/** Time for all tags, also on a slow machine: the mode ends when it has them. */
const LONG = { antennaStopCondition: { type: 'DURATION', value: 60_000 } };
const PASSWORD = 'c0ffee11';

const password = (value: string) => ({ type: 'ACCESS', config: { password: value } });
const read = (membank: string, wordPointer = 0, wordCounter = 1) => ({
  type: 'READ',
  config: { membank, wordPointer, wordCounter },
});
const write = (membank: string, wordPointer: number, data: string, more: object = {}) => ({
  type: 'WRITE',
  config: { membank, wordPointer, data, ...more },
});
const lock = (...actions: string[]) => ({ type: 'LOCK', config: { actions } });

/** Sequences one after the other on the same tags; gives the results of each at the first tag. */
async function results(t: Test, run: RunOptions, ...sequences: object[][]): Promise<string[][]> {
  const radios = await openBoth(t, run);
  const all: string[][] = [];
  for (const access of sequences) {
    const both = await readBoth(radios, { ...ONE, access });
    sameReports(t, both);
    all.push(both.module.events[0]?.data.accessResults);
  }
  return all;
}

t.test('read, write and lock with passwords leave each tag as asked', async (t) => {
  const run = { tags: tagsOf(8, { accessPassword: 0xc0ffee11, lock: 0b00_00_00_11_10 }) };
  const radios = await openBoth(t, run);
  const both = await readBoth(radios, {
    ...ONE,
    ...LONG,
    radioStopConditions: { tagCount: 8 },
    accesses: [
      password(PASSWORD),
      read('USER', 1, 2),
      write('USER', 0, 'cafe0123'),
      write('RESERVED', 0, 'deadbeef'),
      lock('WRITE_LOCK_USER_BANK', 'PERMALOCK_EPC_BANK'),
    ],
  });
  sameReports(t, both);
  t.equal(both.module.events.length, 8);
  for (const { data } of both.module.events) {
    t.same(data.accessResults, ['SUCCESS', '22334455', 'SUCCESS', 'SUCCESS', 'SUCCESS']);
  }
  t.equal(both.module.status.accessFailed, 0);
  const after = await readBoth(radios, {
    ...ONE,
    ...LONG,
    radioStopConditions: { tagCount: 8 },
    tagMetaData: ['USER', 'RESERVED'],
    access: [write('EPC', 2, '3034'), write('USER', 0, 'ffff')],
  });
  sameReports(t, after);
  for (const { data } of after.module.events) {
    t.match(data, {
      USER: 'cafe0123445566778899aabbccddeeff',
      RESERVED: 'deadbeefc0ffee11',
      accessResults: ['FAILED: memory locked', 'FAILED: memory locked'],
    });
  }
});

t.test('what tags refuse comes back with their Gen2 error', async (t) => {
  const both = await runBoth(
    t,
    {
      ...ONE,
      access: [read('TID', 40, 2), write('USER', 0, 'ffff'), read('USER')],
    },
    { tags: tagsOf(3, { accessPassword: 1, lock: 0b10 }) },
  );
  sameReports(t, both);
  for (const { reads } of [both.simulated, both.module]) {
    t.same(
      reads[0]?.access.map(({ status, error }) => [status, error]),
      [
        [1, 3],
        [1, 4],
        [0, 0],
      ],
    );
  }
});

t.test('a wrong password silences the tag, and is not told', async (t) => {
  const both = await runBoth(
    t,
    { ...ONE, access: [password('00000002'), read('TID', 0, 0)] },
    { tags: tagsOf(1, { accessPassword: 1 }) },
  );
  // It is there again for the rest of the round: how often, depends on how fast the radio is.
  sameReports(t, both, false);
  t.match(both.module.events[0].data.accessResults[0], /^FAILED/);
  t.notOk(JSON.stringify(both.module.events).includes('00000002'));
});

t.test('KILL silences tags for ever', async (t) => {
  const both = await runBoth(
    t,
    { ...ONE, access: [{ type: 'KILL', config: { password: '12345678' } }] },
    { tags: tagsOf(10, { killPassword: 0x12345678 }), cycles: 3 },
  );
  sameReports(t, both);
  t.equal(both.module.events.length, 10, 'each was read once, and never again');
});

t.test('blockSize writes blocks, and one result stands for all of them', async (t) => {
  const data = '0001000200030004000500060007';
  const both = await runBoth(
    t,
    { ...ONE, access: [write('USER', 1, data, { blockSize: 3 }), read('USER', 0, 0)] },
    { tags: tagsOf(5) },
  );
  sameReports(t, both);
  t.same(both.module.events[0].data.accessResults, ['SUCCESS', `0011${data}`]);
});

t.test('an array of arrays is a sequence per antenna', async (t) => {
  const both = await runBoth(t, {
    ...ONE,
    antennas: [1, 2],
    antennaStopCondition: { type: 'INVENTORY_COUNT', value: 1 },
    tagMetaData: ['ANTENNA'],
    access: [[read('TID')], [read('USER'), read('TID')]],
  });
  sameReports(t, both);
  t.equal(both.module.events.length, 20);
  for (const { data } of both.module.events) {
    t.same(data.accessResults, data.antenna === 1 ? ['e280'] : ['0011', 'e280']);
  }
});

t.test('a tag that leaves midway is reported as such', async (t) => {
  // Words are written as long as it is there; the module cannot say how many they were.
  const out = 2;
  const both = await runBoth(
    t,
    {
      ...ONE,
      antennaStopCondition: { type: 'DURATION', value: 2500 },
      radioStopConditions: { duration: 2.5 },
      query: { session: 'S0', target: 'AB' },
      access: [write('USER', 0, '1111'.repeat(8)), read('TID', 0, 2)],
    },
    {
      field: {
        groups: [
          {
            waypoints: [
              [0, 0, 0, 0],
              [out, 0, 0, 0],
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
  const done = ['SUCCESS', 'e2801160'];
  for (const { events } of [both.simulated, both.module]) {
    const failed = events.findIndex(({ data }) => !data.accessResults.every(isDone));
    const whole = failed < 0 ? events : events.slice(0, failed);
    t.ok(whole.length > 3);
    for (const { data } of whole) t.same(data.accessResults, done);
    // Reads that were on their way when the first of them was cut short.
    for (const { data } of events.slice(whole.length)) {
      const at = data.accessResults.findIndex((result: string) => !isDone(result));
      // The module's time is that of the machine, and may be over before.
      t.match(data.accessResults[at], /^FAILED: no (reply|time)$/);
      t.same(data.accessResults.slice(0, at), done.slice(0, at));
    }
  }
});
const isDone = (result: string) => !result.startsWith('FAILED');

const NOT_LOCKED = 'SUCCESS';
const LOCKED = 'FAILED: memory locked';
for (const [actions, probe, plain, opened] of [
  [['READ_WRITE_LOCK_KILL_PASSWORD'], read('RESERVED', 0, 2), LOCKED, '00000000'],
  [['PERMALOCK_KILL_PASSWORD'], write('RESERVED', 0, '1111'), LOCKED, LOCKED],
  [['READ_WRITE_LOCK_ACCESS_PASSWORD'], read('RESERVED', 2, 2), LOCKED, '00000001'],
  [['PERMALOCK_ACCESS_PASSWORD'], write('RESERVED', 2, '0000'), LOCKED, LOCKED],
  [['WRITE_LOCK_EPC_BANK'], write('EPC', 2, '3034'), LOCKED, NOT_LOCKED],
  [['PERMALOCK_EPC_BANK'], write('EPC', 2, '3034'), LOCKED, LOCKED],
  [['WRITE_LOCK_TID_BANK'], write('TID', 0, 'e280'), LOCKED, NOT_LOCKED],
  [['WRITE_LOCK_USER_BANK'], write('USER', 0, '1234'), LOCKED, NOT_LOCKED],
  [['PERMALOCK_USER_BANK'], write('USER', 0, '1234'), LOCKED, LOCKED],
  [
    ['WRITE_UNLOCK_USER_BANK', 'WRITE_UNLOCK_TID_BANK'],
    write('USER', 0, '1234'),
    ...['SUCCESS', 'SUCCESS'],
  ],
] as const) {
  t.test(`${actions.join(', ')} does what its name says`, async (t) => {
    const open = password('00000001');
    const [locked, without, withPassword] = await results(
      t,
      { tags: tagsOf(1, { accessPassword: 1 }) },
      [open, lock(...actions)],
      [probe],
      [open, probe],
    );
    t.same(locked, ['SUCCESS', 'SUCCESS']);
    t.same(without, [plain]);
    t.same(withPassword, ['SUCCESS', opened]);
  });
}
