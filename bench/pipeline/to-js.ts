/** Native queue -> objects in JavaScript, over bare batch calls that give the same objects. */
import { loadAddon } from '../../src/radio-control/addon/addon.js';
import { compilePlan } from '../../src/radio-control/plan/compile-plan.js';
import { RECORD, RECORD_BYTES } from '../../src/radio-control/record.js';
import { recordTimeMs } from '../../src/radio-control/reports/report-filter.js';
import { inTurns, measure, type Sample } from '../measure.js';
import { syntheticReads } from './synthetic-reads.js';

const READS = 1_000_000;
const BATCH = 1024;
const ROUNDS = 5;

/** What a consumer in JavaScript needs of a read. */
function readObject(batch: Buffer, at: number) {
  const epc = at + RECORD.epc;
  return {
    timeMs: recordTimeMs(batch, at),
    epc: batch.toString('hex', epc, epc + (batch[at + RECORD.epcBytes] as number)),
    antenna: batch[at + RECORD.antenna] as number,
    rssi: batch.readInt16LE(at + RECORD.rssiCdbm) / 100,
  };
}

let sink = 0;
function consume(batch: Buffer, records: number): void {
  for (let i = 0; i < records; i++) sink += readObject(batch, i * RECORD_BYTES).antenna;
}

export async function toJs(): Promise<{ floor: Sample; pipeline: Sample }> {
  const { Radio, fillBatch } = loadAddon();
  const radio = new Radio({
    module: 'replay',
    paced: false,
    records: syntheticReads(READS, 1000),
  });
  const plan = compilePlan(
    { antennas: radio.capabilities().antennas.map((port) => ({ port })) },
    radio.capabilities(),
  ).native;
  const batch = Buffer.alloc(BATCH * RECORD_BYTES);

  const floor = () =>
    measure(READS, () => {
      for (let done = 0; done < READS; ) {
        const records = fillBatch(batch);
        consume(batch, records);
        done += records;
      }
    });

  const pipeline = () =>
    measure(READS, async () => {
      let done = 0;
      await new Promise<void>((resolve) => {
        const pump = () => {
          do {
            for (let n = radio.drain(batch); n > 0; n = radio.drain(batch)) {
              consume(batch, n);
              done += n;
            }
            if (done >= READS) return resolve();
          } while (!radio.arm());
        };
        radio.start(plan, pump);
        pump();
      });
      await radio.stop();
      if (done !== READS) throw new Error(`${done} of ${READS} reads arrived`);
    });

  const result = await inTurns(ROUNDS, { floor, pipeline });
  if (sink === 0) throw new Error('nothing was consumed');
  return result;
}
