/** Collects reads as native records, in the order of their times. */
import { RECORD, RECORD_BYTES } from '../record.js';
import type { Read } from './parse-line.js';

export class RecordList {
  #bytes = Buffer.alloc(1024 * RECORD_BYTES);
  #times: bigint[] = [];
  readonly #antennas = new Set<number>();
  #sorted = true;

  get length(): number {
    return this.#times.length;
  }

  /** Ascending. */
  get antennas(): number[] {
    return [...this.#antennas].sort((a, b) => a - b);
  }

  add(read: Read): void {
    const at = this.length * RECORD_BYTES;
    if (at + RECORD_BYTES > this.#bytes.length) {
      const larger = Buffer.alloc(this.#bytes.length * 2);
      this.#bytes.copy(larger);
      this.#bytes = larger;
    }
    if (read.timeNs < (this.#times.at(-1) ?? read.timeNs)) this.#sorted = false;
    this.#times.push(read.timeNs);
    this.#antennas.add(read.antenna);
    const bytes = this.#bytes;
    bytes.writeUInt32LE(read.frequencyKhz, at + RECORD.frequencyKhz);
    bytes.writeInt16LE(read.rssiCdbm, at + RECORD.rssiCdbm);
    bytes.writeUInt16LE(read.phaseCdeg, at + RECORD.phaseCdeg);
    // The length of the EPC in words is the upper five bits; the core computes a CRC of 0.
    bytes.writeUInt16LE((read.epc.length / 2) << 11, at + RECORD.pc);
    bytes[at + RECORD.antenna] = read.antenna;
    bytes[at + RECORD.epcBytes] = read.epc.length;
    bytes.set(read.epc, at + RECORD.epc);
  }

  /** @returns One record a read, times from 0; reads of the same time stay in their order. */
  finish(): { records: Uint8Array; durationSeconds: number } {
    const order = this.#order();
    const first = this.#times[order[0] ?? 0] ?? 0n;
    const last = this.#times[order[order.length - 1] ?? 0] ?? 0n;
    const records = Buffer.alloc(this.length * RECORD_BYTES);
    order.forEach((from, to) => {
      const at = to * RECORD_BYTES;
      this.#bytes.copy(records, at, from * RECORD_BYTES, (from + 1) * RECORD_BYTES);
      records.writeBigUInt64LE((this.#times[from] as bigint) - first, at + RECORD.timeNs);
    });
    return { records, durationSeconds: Number(last - first) / 1e9 };
  }

  #order(): Uint32Array {
    const order = Uint32Array.from({ length: this.length }, (_, i) => i);
    if (this.#sorted) return order;
    const times = this.#times;
    return order.sort((a, b) => {
      const [left, right] = [times[a] as bigint, times[b] as bigint];
      return left < right ? -1 : left > right ? 1 : a - b;
    });
  }
}
