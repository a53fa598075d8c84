/** What is told of lost events: ranges that join, and the documented event. */
import fc from 'fast-check';
import t from 'tap';
import { OverflowEvent } from '../../src/reader-gateway/api/overflow-event.js';
import { assertValid } from '../../src/reader-gateway/api/validate.js';
import { Losses, overflowEvent } from '../../src/reader-gateway/delivery/losses.js';

const span = (firstNum: number, lastNum: number) => ({
  count: lastNum - firstNum + 1,
  firstNum,
  lastNum,
  firstAtMs: firstNum,
  lastAtMs: lastNum,
});

t.test(
  'in whatever order losses come, neighbours are one range, and no number is left out',
  async () => {
    const sizes = fc.array(fc.record({ lost: fc.integer({ min: 1, max: 9 }), kept: fc.nat(2) }), {
      maxLength: 60,
    });
    fc.assert(
      fc.property(sizes, fc.infiniteStream(fc.nat()), (parts, order) => {
        let next = 1;
        const spans = parts.map(({ lost, kept }) => {
          const one = span(next, next + lost - 1);
          next += lost + kept;
          return one;
        });
        const shuffled = spans
          .map((one) => ({ one, key: order.next().value ?? 0 }))
          .sort((a, b) => a.key - b.key)
          .map(({ one }) => one);
        const losses = new Losses();
        for (const one of shuffled) losses.add(one);
        const told = losses.take();
        const numbers = (all: readonly { firstNum: number; lastNum: number }[]) =>
          all.flatMap(({ firstNum, lastNum }) =>
            Array.from({ length: lastNum - firstNum + 1 }, (_, i) => firstNum + i),
          );
        if (numbers(told).join() !== numbers(spans).join()) throw new Error('numbers');
        for (const [i, one] of told.entries()) {
          if (one.count !== one.lastNum - one.firstNum + 1) throw new Error('count');
          if (one.firstAtMs !== one.firstNum || one.lastAtMs !== one.lastNum)
            throw new Error('times');
          if (told[i + 1]?.firstNum === one.lastNum + 1) throw new Error('not joined');
        }
        if (!losses.isEmpty) throw new Error('told once');
      }),
    );
  },
);

t.test('ten thousand separate losses are told in a bounded number of ranges', async (t) => {
  const losses = new Losses();
  for (let num = 1; num <= 20_000; num += 2) losses.add(span(num, num));
  const told = losses.take();
  t.ok(told.length <= 1000);
  t.equal(
    told.reduce((sum, { count }) => sum + count, 0),
    10_000,
  );
});

t.test('the event is as documented', async (t) => {
  t.doesNotThrow(() => assertValid(OverflowEvent, JSON.parse(overflowEvent(span(3, 9)))));
  const stream = JSON.parse(overflowEvent({ count: 7, firstNum: 3, lastNum: 9 }));
  t.doesNotThrow(() => assertValid(OverflowEvent, stream));
  t.match(stream, { data: { eventNum: 9, firstEventNum: 3, lastEventNum: 9, lost: 7 } });
});
