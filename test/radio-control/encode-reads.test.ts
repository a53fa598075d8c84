import fc from 'fast-check';
import t from 'tap';
import { ReadBatch, type TagRead } from '../../src/contract/messages.js';
import { counterToNumber, timeNsToMs } from '../../src/contract/time.js';
import { encodeBatch, ReadsEncoder } from '../../src/radio-control/reports/encode-reads.js';
import { makeRecord } from './make-record.js';

const read = fc.record({
  timeNs: fc.bigInt({ min: 0n, max: 2n ** 63n - 1n }),
  epc: fc.uint8Array({ maxLength: 62 }).map((bytes) => Buffer.from(bytes).toString('hex')),
  antenna: fc.integer({ min: 0, max: 255 }),
  rssiCdbm: fc.integer({ min: -32768, max: 32767 }),
  phaseCdeg: fc.integer({ min: 0, max: 35_999 }),
  frequencyKhz: fc.integer({ min: 0, max: 2 ** 32 - 1 }),
  pc: fc.integer({ min: 0, max: 0xffff }),
  crc: fc.integer({ min: 0, max: 0xffff }),
  seenCount: fc.integer({ min: 1, max: 2 ** 32 - 1 }),
});

t.test('what it encodes is what the generated code of the contract decodes', async (t) => {
  fc.assert(
    fc.property(fc.array(read, { maxLength: 40 }), (reads) => {
      const encoder = new ReadsEncoder();
      for (const fields of reads) {
        encoder.add(makeRecord(fields), 0, fields.seenCount, fields.rssiCdbm);
      }
      const batch = ReadBatch.decode(
        encodeBatch({ firstSequence: 5_000_000_000, dropped: 7 }, [encoder.finish().bytes]),
      );
      t.equal(counterToNumber(batch.firstSequence), 5_000_000_000);
      t.equal(counterToNumber(batch.dropped), 7);
      t.equal(batch.reads.length, reads.length);
      reads.forEach((fields, i) => {
        const decoded = batch.reads[i] as TagRead;
        t.equal(BigInt(decoded.timeNs.toString()), fields.timeNs);
        t.equal(Buffer.from(decoded.epc).toString('hex'), fields.epc);
        for (const name of ['antenna', 'rssiCdbm', 'phaseCdeg', 'frequencyKhz', 'pc'] as const) {
          t.equal(decoded[name], fields[name], name);
        }
        t.equal(decoded.crc, fields.crc);
        t.equal(decoded.seenCount, fields.seenCount);
      });
    }),
    { numRuns: 60 },
  );
});

t.test('runs that were encoded apart join to one batch in their order', async (t) => {
  const encoder = new ReadsEncoder();
  const runs = [1, 2, 3].map((antenna) => {
    encoder.add(makeRecord({ antenna }), 0, 1, -5000);
    return encoder.finish().bytes;
  });
  const batch = ReadBatch.decode(encodeBatch({ firstSequence: 1, dropped: 0 }, runs));
  t.strictSame(
    batch.reads.map(({ antenna }) => antenna),
    [1, 2, 3],
  );
});

t.test('a thousand reads pass the first size of its buffer', async (t) => {
  const encoder = new ReadsEncoder();
  for (let i = 0; i < 1000; i++) encoder.add(makeRecord({ pc: i }), 0, 1, -5000);
  const { bytes, count } = encoder.finish();
  t.equal(count, 1000);
  const batch = ReadBatch.decode(encodeBatch({ firstSequence: 1, dropped: 0 }, [bytes]));
  t.equal(batch.reads[999]?.pc, 999);
  t.equal(encoder.finish().count, 0, 'finish() starts again');
});

t.test('times come back in milliseconds', async (t) => {
  const encoder = new ReadsEncoder();
  encoder.add(makeRecord({ timeNs: 1_767_225_600_123_000_000n }), 0, 1, -5000);
  const batch = ReadBatch.decode(
    encodeBatch({ firstSequence: 1, dropped: 0 }, [encoder.finish().bytes]),
  );
  t.equal(timeNsToMs((batch.reads[0] as TagRead).timeNs), 1_767_225_600_123);
});
