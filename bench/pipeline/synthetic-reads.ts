/** Recorded reads made up for a bench: evenly spaced, 1,000 tags, 4 antennas. */
import { RECORD, RECORD_BYTES } from '../../src/radio-control/record.js';

const TAGS = 1000;
const EPC_BYTES = 12;
const PC_96_BIT_EPC = 0x3000;

export function syntheticReads(count: number, spacingNs: number): Uint8Array {
  const records = Buffer.alloc(count * RECORD_BYTES);
  for (let i = 0; i < count; i++) {
    const at = i * RECORD_BYTES;
    records.writeBigUInt64LE(BigInt(i) * BigInt(spacingNs), at + RECORD.timeNs);
    records.writeUInt32LE(902_750 + (i % 50) * 500, at + RECORD.frequencyKhz);
    records.writeInt16LE(-4000 - (i % 3000), at + RECORD.rssiCdbm);
    records.writeUInt16LE((i * 37) % 36_000, at + RECORD.phaseCdeg);
    records.writeUInt16LE(PC_96_BIT_EPC, at + RECORD.pc);
    records[at + RECORD.antenna] = 1 + (i % 4);
    records[at + RECORD.epcBytes] = EPC_BYTES;
    records.write('3034257bf400b78000', at + RECORD.epc, 'hex');
    records.writeUInt16BE(i % TAGS, at + RECORD.epc + EPC_BYTES - 2);
  }
  return records;
}
