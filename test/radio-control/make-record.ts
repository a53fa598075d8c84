/** Native read records for tests, with sensible values where a test does not care. */
import { RECORD, RECORD_BYTES } from '../../src/radio-control/record.js';

export interface ReadFields {
  timeNs?: bigint;
  epc?: string;
  antenna?: number;
  beam?: number;
  /** Continuation records after it, filled with this byte. */
  more?: { count: number; fill: number };
  rssiCdbm?: number;
  phaseCdeg?: number;
  frequencyKhz?: number;
  pc?: number;
  crc?: number;
}

/** 2026-01-01T00:00:00Z, as a start for air times. */
export const START_NS = 1_767_225_600_000_000_000n;

export const atMs = (ms: number): bigint => START_NS + BigInt(Math.round(ms * 1e6));

export function makeRecord(fields: ReadFields = {}): Buffer {
  const { count = 0, fill = 0 } = fields.more ?? {};
  const record = Buffer.alloc(RECORD_BYTES * (1 + count));
  record.fill(fill, RECORD_BYTES);
  record[RECORD.more] = count;
  const epc = Buffer.from(fields.epc ?? '3034257bf400b7800004cb2f', 'hex');
  record.writeBigUInt64LE(fields.timeNs ?? START_NS, RECORD.timeNs);
  record.writeUInt32LE(fields.frequencyKhz ?? 915_250, RECORD.frequencyKhz);
  record.writeInt16LE(fields.rssiCdbm ?? -5500, RECORD.rssiCdbm);
  record.writeUInt16LE(fields.phaseCdeg ?? 4500, RECORD.phaseCdeg);
  record.writeUInt16LE(fields.pc ?? 0x3000, RECORD.pc);
  record.writeUInt16LE(fields.crc ?? 0x1234, RECORD.crc);
  record[RECORD.antenna] = fields.antenna ?? 1;
  record.writeUInt16LE(fields.beam ?? 0, RECORD.beam);
  record[RECORD.epcBytes] = epc.length;
  epc.copy(record, RECORD.epc);
  return record;
}
