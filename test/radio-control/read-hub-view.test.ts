import t from 'tap';
import { hubWith, limits, plain, transport } from './hub-client.js';

const noFilter = { antennas: [], minRssiCdbm: undefined, id: undefined };

t.test('a filter by antenna, RSSI and id lets through what passes all of them', async (t) => {
  const { hub, publish } = hubWith();
  const client = transport();
  const filter = {
    antennas: [2],
    minRssiCdbm: -6000,
    id: { match: 'prefix', digits: '30', exclude: false } as const,
  };
  const stream = hub.subscribe(client, { ...plain, view: { filter, fields: [] } });
  publish(1, { antenna: 1, epc: '3000' });
  publish(1, { antenna: 2, epc: 'e200' });
  publish(1, { antenna: 2, epc: '3001' }, -7000);
  publish(1, { antenna: 2, epc: '3002' });
  t.strictSame(
    client.reads.map(({ epc }) => Buffer.from(epc as Uint8Array).toString('hex')),
    ['3002'],
  );
  t.equal(stream.statistics.filtered, 3);
  t.equal(stream.statistics.delivered, 1);
});

t.test('with a filter each read says its number, and each batch where to go on', async (t) => {
  const { hub, publish } = hubWith();
  const view = { filter: { ...noFilter, antennas: [2] }, fields: [] };
  const client = transport();
  hub.subscribe(client, { ...plain, view });
  publish(3, { antenna: 1 });
  publish(2, { antenna: 2 });
  publish(4, { antenna: 1 });
  t.strictSame(
    client.reads.map(({ sequence }) => Number(sequence)),
    [4, 5],
  );
  t.strictSame(client.batches, [{ first: 4, dropped: 0, reads: 2 }]);
  t.equal(client.position.sequence, 5);

  const again = transport();
  hub.subscribe(again, { ...plain, view, start: { from: 'after', ...client.position } });
  publish(1, { antenna: 2 });
  t.strictSame(
    again.reads.map(({ sequence }) => Number(sequence)),
    [10],
  );
});

t.test('a client gets the fields that it asked for, and no others', async (t) => {
  const { hub, publish } = hubWith();
  const all = transport();
  const some = transport();
  hub.subscribe(all, plain);
  hub.subscribe(some, { ...plain, view: { filter: undefined, fields: [2, 4] } });
  publish(2, { antenna: 3, epc: '30aa', pc: 0x3000, phaseCdeg: 100 });
  t.strictSame(
    some.reads.map(({ epc, rssiCdbm, antenna, pc }) => ({
      epc: Buffer.from(epc as Uint8Array).toString('hex'),
      rssiCdbm,
      antenna,
      pc,
    })),
    [
      { epc: '30aa', rssiCdbm: -5000, antenna: 0, pc: 0 },
      { epc: '30aa', rssiCdbm: -5000, antenna: 0, pc: 0 },
    ],
  );
  t.equal(all.reads[0]?.antenna, 3);
  t.strictSame(some.numbers, [1, 2], 'they follow each other as without a choice');
});

t.test('a filter finds its reads also in parts of runs', async (t) => {
  const { hub, publish } = hubWith();
  for (let i = 0; i < 10; i++) publish(9, { antenna: (i % 2) + 1 });
  const client = transport();
  hub.subscribe(client, {
    ...plain,
    maxReads: 4,
    start: { from: 'after', logId: hub.log.id, sequence: 5 },
    view: { filter: { ...noFilter, antennas: [1] }, fields: [] },
  });
  const expected = Array.from({ length: 90 }, (_, i) => i + 1).filter(
    (sequence) => sequence > 5 && Math.floor((sequence - 1) / 9) % 2 === 0,
  );
  t.strictSame(
    client.reads.map(({ sequence }) => Number(sequence)),
    expected,
  );
  t.ok(client.batches.every(({ reads }) => reads <= 4));
});

t.test('a filtered stream that was too slow knows how many reports it lost', async (t) => {
  const { hub, publish } = hubWith(limits(20));
  const client = transport();
  client.state.full = true;
  const view = { filter: { ...noFilter, antennas: [2] }, fields: [] };
  const stream = hub.subscribe(client, { ...plain, view });
  for (let i = 0; i < 10; i++) publish(10, { antenna: 2 });
  client.state.full = false;
  stream.resume();
  t.strictSame(client.batches, [{ first: 81, dropped: 80, reads: 20 }]);
});
