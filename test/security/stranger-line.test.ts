/** The parts by which requests without a token wait: whose turn it is, and when. */
import t from 'tap';
import { FairLine } from '../../src/shared/arrivals/fair-line.js';
import { LoopShare } from '../../src/shared/arrivals/loop-share.js';

t.test('everybody has a turn, however many one of them brought', async (t) => {
  const line = new FairLine<string>(10);
  for (const one of ['a1', 'a2', 'a3', 'b1', 'a4', 'c1', 'c2']) line.push(one[0] as string, one);
  t.equal(line.length, 7);
  t.ok(line.remove('c', 'c1'));
  t.notOk(line.remove('c', 'c1'));
  const turns = Array.from({ length: 6 }, () => line.shift());
  t.strictSame(turns, ['a1', 'b1', 'c2', 'a2', 'a3', 'a4']);
  t.equal(line.shift(), undefined);
});

t.test('who brought most gives way when it is full', async (t) => {
  const line = new FairLine<string>(3);
  t.equal(line.push('a', 'a1'), undefined);
  t.equal(line.push('a', 'a2'), undefined);
  t.equal(line.push('a', 'a3'), undefined);
  t.equal(line.push('b', 'b1'), 'a3');
  t.equal(line.push('c', 'c1'), 'a2');
  t.equal(line.push('d', 'd1'), 'd1', 'all have one: the last gives way');
  t.strictSame([line.shift(), line.shift(), line.shift()], ['a1', 'b1', 'c1']);
});

t.test('the share is what is used over a longer time', async (t) => {
  const share = new LoopShare({ share: 0.1, burstMs: 50 }, 0);
  let now = 0;
  let used = 0;
  while (now < 10_000) {
    const wait = share.waitMs(now);
    if (wait === 0) {
      share.use(7);
      used += 7;
      now += 7;
    } else now += wait;
  }
  t.ok(used > 950 && used < 1070, `${used} ms of 10 s`);
  share.use(500);
  const wait = share.waitMs(now);
  t.ok(wait > 4000 && wait < 5100, `${wait} ms after half a second at once`);
  t.equal(share.waitMs(now + wait), 0);
});
