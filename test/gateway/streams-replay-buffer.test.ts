/** The replay buffer behaves as a plain list of lines that is cut to its bounds. */
import fc from 'fast-check';
import t from 'tap';
import { splitText } from '../../src/reader-gateway/delivery/event-bytes.js';
import { ReplayBuffer } from '../../src/reader-gateway/streams/replay-buffer.js';

interface Kept {
  number: number;
  line: string;
}

const size = (line: string) => Buffer.byteLength(line);
const total = (kept: readonly Kept[]) => kept.reduce((sum, { line }) => sum + size(line), 0);

/** Texts of all widths in UTF-8; some are longer than a block, or than the whole buffer. */
const text = fc.oneof(
  { weight: 8, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
  { weight: 2, arbitrary: fc.integer({ min: 1, max: 30_000 }).map((n) => 'x'.repeat(n)) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 40_000 }).map((n) => 'Ω€'.repeat(n)) },
);
const step = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({ head: text, tail: text, times: fc.integer({ min: 1, max: 12 }) }),
  },
  { weight: 2, arbitrary: fc.record({ readFrom: fc.nat(100) }) },
);

t.test('pushing and reading from any place', async () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 60 }),
      fc.integer({ min: 1, max: 300_000 }),
      fc.array(step, { maxLength: 60 }),
      (maxEvents, maxBytes, steps) => {
        const buffer = new ReplayBuffer({ maxEvents, maxBytes });
        let kept: Kept[] = [];
        let last = 0;
        /** What was handed out stays as it was, whatever comes later. */
        const handedOut: { bytes: Buffer; text: string }[] = [];
        for (const one of steps) {
          if ('times' in one) {
            const { head, tail } = one;
            for (let time = 0; time < one.times; time++) {
              last++;
              const line = `${head}${last}${tail}\n`;
              if (buffer.push(splitText(head, tail)) !== size(line)) throw new Error('length');
              kept.push({ number: last, line });
              kept = kept.slice(-maxEvents);
              while (total(kept) > maxBytes) kept.shift();
            }
          } else {
            let cursor = buffer.first - 1 + (one.readFrom % (kept.length + 1));
            const expected = kept.filter(({ number }) => number > cursor);
            let got = '';
            for (let run = buffer.read(cursor); run !== undefined; run = buffer.read(cursor)) {
              if (run.first !== cursor + 1 || run.last < run.first) throw new Error('numbers');
              cursor = run.last;
              got += run.bytes.toString();
              handedOut.push({ bytes: run.bytes, text: run.bytes.toString() });
            }
            if (cursor !== last) throw new Error('not to the end');
            if (got !== expected.map(({ line }) => line).join('')) throw new Error('text');
          }
          if (buffer.last !== last || buffer.first !== (kept[0]?.number ?? last + 1)) {
            throw new Error('first and last');
          }
          if (buffer.bytes !== total(kept)) throw new Error('bytes');
        }
        for (const { bytes, text } of handedOut) {
          if (bytes.toString() !== text) throw new Error('written again');
        }
      },
    ),
  );
});

t.test('a run is at most 64 KB, but for a longer event', async (t) => {
  const buffer = new ReplayBuffer({ maxEvents: 10_000, maxBytes: 4_000_000 });
  for (let event = 0; event < 3000; event++) buffer.push(splitText('x'.repeat(100), ''));
  buffer.push(splitText('y'.repeat(100_000), ''));
  const lengths: number[] = [];
  for (let run = buffer.read(0); run !== undefined; run = buffer.read(run.last)) {
    lengths.push(run.bytes.length);
  }
  t.equal(lengths.pop(), 100_005);
  t.ok(lengths.every((length) => length <= 65_536));
  t.equal(lengths.length, 5);
});
