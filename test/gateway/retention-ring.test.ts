/** The ring of an endpoint behaves as a plain list, packed or not. */
import fc from 'fast-check';
import t from 'tap';
import { eventText, splitText } from '../../src/reader-gateway/delivery/event-bytes.js';
import {
  EventRing,
  eventsOf,
  type WaitingEvent,
} from '../../src/reader-gateway/delivery/retention/ring.js';

interface Model {
  num: number;
  text: string;
  atMs: number;
}

const asModel = ({ num, bytes, atMs }: WaitingEvent): Model => ({
  num,
  text: Buffer.from(bytes).toString(),
  atMs,
});

/** Texts of all sizes, some larger than a block, some not ASCII. */
function textOf(num: number): string {
  if (num % 97 === 0) return `"${'é'.repeat(40_000)}${num}"`;
  return JSON.stringify({ eventNum: num, name: num % 5 === 0 ? 'é€😀' : 'x'.repeat(num % 300) });
}

t.test('pushing, taking and dropping in any order', async () => {
  const step = fc.oneof(
    { weight: 8, arbitrary: fc.record({ push: fc.integer({ min: 1, max: 300 }) }) },
    { weight: 4, arbitrary: fc.record({ take: fc.nat(400), bytes: fc.nat(200_000) }) },
    { weight: 1, arbitrary: fc.record({ drop: fc.nat(500) }) },
    { weight: 1, arbitrary: fc.record({ dropOlder: fc.nat(3000) }) },
    { weight: 3, arbitrary: fc.record({ skipNumbers: fc.nat(10) }) },
    { weight: 3, arbitrary: fc.constant({ take: 10_000, bytes: 1e9 }) },
    { weight: 1, arbitrary: fc.record({ append: fc.nat(300) }) },
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const ring = new EventRing(',');
      let model: Model[] = [];
      let next = 1;
      const pushInto = (target: EventRing, count: number) => {
        for (let i = 0; i < count; i++) {
          const event = { num: next, text: textOf(next), atMs: 1e12 + next * 3 };
          next++;
          target.pushWhole(event.num, Buffer.from(event.text), event.atMs);
          model.push(event);
        }
      };
      for (const one of steps) {
        if ('push' in one) pushInto(ring, one.push);
        else if ('skipNumbers' in one) next += one.skipNumbers;
        else if ('append' in one) {
          const other = new EventRing(',');
          pushInto(other, one.append);
          ring.append(other);
        } else if ('take' in one) {
          const run = ring.take(one.take, one.bytes);
          const taken = run === undefined ? [] : [...eventsOf(run.parts)].map(asModel);
          const expected = model.slice(0, taken.length);
          if (JSON.stringify(taken) !== JSON.stringify(expected)) throw new Error('take');
          const bytesOf = (events: Model[]) =>
            events.reduce((sum, { text }) => sum + Buffer.byteLength(text) + 1, 0);
          if (one.take > 0 && model.length > 0 && taken.length === 0) throw new Error('too few');
          if (taken.length > 1 && bytesOf(expected) > one.bytes) throw new Error('too large');
          const more = model.slice(0, taken.length + 1);
          const couldBeMore = more.length > taken.length && taken.length < one.take;
          if (couldBeMore && bytesOf(more) <= one.bytes) throw new Error('not as many as fit');
          if (run !== undefined) {
            if (run.bytes !== bytesOf(expected) || run.count !== taken.length) throw new Error('n');
            if (run.firstNum !== expected[0]?.num) throw new Error('first');
            if (run.lastNum !== expected[expected.length - 1]?.num) throw new Error('last');
          }
          model = model.slice(taken.length);
        } else {
          const limit = 'drop' in one ? undefined : 1e12 + one.dropOlder * 3;
          const count =
            'drop' in one
              ? Math.min(one.drop, model.length)
              : model.filter(({ atMs }) => atMs < (limit ?? 0)).length;
          const span = 'drop' in one ? ring.drop(one.drop) : ring.dropOlder(limit ?? 0);
          if ((span?.count ?? 0) !== count) throw new Error('dropped');
          if (count > 0) {
            const [first, last] = [model[0], model[count - 1]];
            if (span?.firstNum !== first?.num || span?.lastNum !== last?.num)
              throw new Error('who');
            if (span?.firstAtMs !== first?.atMs || span?.lastAtMs !== last?.atMs) {
              throw new Error('when');
            }
          }
          model = model.slice(count);
        }
        if (ring.size !== model.length) throw new Error('size');
        if (ring.oldestAtMs !== model[0]?.atMs) throw new Error('oldest');
        const bytes = model.reduce((sum, { text }) => sum + Buffer.byteLength(text) + 1, 0);
        if (ring.bytes !== bytes) throw new Error('bytes');
      }
    }),
    { numRuns: 60 },
  );
});

t.test(
  '150,000 waiting events are packed into less than 64 MB, and come out as they were',
  async (t) => {
    const ring = new EventRing('\n');
    const text = (num: number) =>
      JSON.stringify({
        data: {
          antenna: 1 + (num % 4),
          eventNum: num,
          format: 'epc',
          idHex: (num * 2654435761).toString(16).padStart(24, '3'),
          peakRssi: -40 - (num % 40),
          reads: 1,
          TID: (num * 40503).toString(16).padStart(24, 'e'),
        },
        timestamp: new Date(1.7e12 + num).toISOString(),
        type: 'INVENTORY',
      });
    const settled = () =>
      new Promise<void>((resolve) => {
        let last = -1;
        const look = () => {
          if (ring.memoryBytes === last) return resolve();
          last = ring.memoryBytes;
          setTimeout(look, 100);
        };
        look();
      });
    for (let num = 1; num <= 150_000; num++) {
      ring.pushWhole(num, Buffer.from(text(num)), num);
      // The packing runs beside the loop.
      if (num % 2000 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    await settled();
    t.ok(ring.bytes > 20e6, `${ring.bytes} bytes of events`);
    t.ok(ring.memoryBytes < 64e6, `${ring.memoryBytes} bytes in memory`);
    t.comment(`${(ring.bytes / ring.memoryBytes).toFixed(1)} times smaller`);
    let expected = 1;
    for (let run = ring.take(977, 1e6); run !== undefined; run = ring.take(977, 1e6)) {
      for (const event of eventsOf(run.parts)) {
        if (asModel(event).text !== text(expected)) return t.fail('differs');
        expected++;
      }
    }
    t.equal(expected, 150_001);
  },
);

t.test('the number goes between head and tail, whatever its length', async (t) => {
  for (const num of [1, 9, 10, 99, 12345, 2 ** 31 - 1, 2 ** 31, 2 ** 52]) {
    const ring = new EventRing('\n');
    ring.push(num, splitText('{"é":', '}'), 1);
    const [event] = eventsOf(ring.take(1, 0)?.parts ?? []);
    t.equal(Buffer.from(event?.bytes ?? '').toString(), `{"é":${num}}`);
    t.equal(eventText(splitText('{"é":', '}'), num), `{"é":${num}}`);
  }
});
