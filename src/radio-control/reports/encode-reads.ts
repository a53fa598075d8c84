/**
 * Encodes reports as the `reads` field of a ReadBatch, straight from native records to
 * protobuf bytes. The reads are encoded once, whatever the number of subscribers: a
 * subscriber's own fields come before them, and protobuf lets the two be joined.
 */
import { HAS_XPC, RECORD, RECORD_BYTES } from '../record.js';
import { accessResults } from './access-bytes.js';
import { putVarint } from './read-bytes.js';

// Field numbers and wire types of ReadBatch and TagRead in radio.proto.
const BATCH_FIRST_SEQUENCE = (1 << 3) | 0;
const BATCH_DROPPED = (2 << 3) | 0;
const BATCH_READS = (3 << 3) | 2;
const BATCH_LOG_ID = (4 << 3) | 2;
const BATCH_NEXT_SEQUENCE = (5 << 3) | 0;
const READ_TIME_NS = (1 << 3) | 1;
const READ_EPC = (2 << 3) | 2;
const READ_ANTENNA = (3 << 3) | 0;
const READ_RSSI = (4 << 3) | 0;
const READ_PHASE = (5 << 3) | 0;
const READ_FREQUENCY = (6 << 3) | 0;
const READ_PC = (7 << 3) | 0;
const READ_CRC = (8 << 3) | 0;
const READ_SEEN_COUNT = (9 << 3) | 0;
const READ_BEAM = (10 << 3) | 0;
const READ_XPC = (11 << 3) | 0;
const READ_PLAN = (12 << 3) | 0;
const READ_ACCESS = (13 << 3) | 2;
const READ_MEMORY = (14 << 3) | 2;
// Of AccessResult.
const RESULT_STATUS = (1 << 3) | 0;
const RESULT_ERROR = (2 << 3) | 0;
const RESULT_WORDS_WRITTEN = (3 << 3) | 0;
const RESULT_DATA = (4 << 3) | 2;

// A TagRead without results is at most 9 + 2+62 + 3 + 4 + 4 + 6 + 4 + 4 + 6 + 3 + 4 + 3 = 114 bytes,
// so its length is one byte. With results it is longer by at most three times what they are in records.
const MAX_ENCODED_READ = 2 + 114;

const SLAB_BYTES = 64 * 1024;

/** A run of consecutive reports, encoded. */
export interface EncodedReads {
  bytes: Buffer;
  count: number;
}

export class ReadsEncoder {
  #buffer = Buffer.allocUnsafe(16 * 1024);
  #length = 0;
  #count = 0;
  #slab = Buffer.alloc(0);
  #slabUsed = 0;

  get count(): number {
    return this.#count;
  }

  /** Adds the record at `offset`, with the count and the peak RSSI the report filter found. */
  add(record: Buffer, offset: number, seenCount: number, rssiCdbm: number): void {
    const more = record[offset + RECORD.more] as number;
    const most = MAX_ENCODED_READ + 3 * more * RECORD_BYTES;
    while (this.#buffer.length - this.#length < most) this.#grow();
    const to = this.#buffer;
    const start = this.#length;
    let at = start + 2;

    to[at++] = READ_TIME_NS;
    for (let i = 0; i < 8; i++) to[at++] = record[offset + RECORD.timeNs + i] as number;
    const epcBytes = record[offset + RECORD.epcBytes] as number;
    if (epcBytes > 0) {
      to[at++] = READ_EPC;
      to[at++] = epcBytes;
      const epc = offset + RECORD.epc;
      for (let i = 0; i < epcBytes; i++) to[at++] = record[epc + i] as number;
    }
    at = putField(to, at, READ_ANTENNA, record[offset + RECORD.antenna] as number);
    at = putField(to, at, READ_RSSI, (rssiCdbm << 1) ^ (rssiCdbm >> 31));
    at = putField(to, at, READ_PHASE, record.readUInt16LE(offset + RECORD.phaseCdeg));
    at = putField(to, at, READ_FREQUENCY, record.readUInt32LE(offset + RECORD.frequencyKhz));
    at = putField(to, at, READ_PC, record.readUInt16LE(offset + RECORD.pc));
    at = putField(to, at, READ_CRC, record.readUInt16LE(offset + RECORD.crc));
    at = putField(to, at, READ_SEEN_COUNT, seenCount);
    at = putField(to, at, READ_BEAM, record.readUInt16LE(offset + RECORD.beam));
    if (((record[offset + RECORD.flags] as number) & HAS_XPC) !== 0) {
      at = putAlways(to, at, READ_XPC, record.readUInt16LE(offset + RECORD.xpcW1));
    }
    at = putField(to, at, READ_PLAN, record[offset + RECORD.plan] as number);

    to[start] = BATCH_READS;
    if (more === 0) {
      to[start + 1] = at - start - 2;
    } else {
      at = putResults(to, at, record, offset);
      at = putLength(to, start + 1, at);
    }
    this.#length = at;
    this.#count++;
  }

  /** @returns what was added since the last call. */
  finish(): EncodedReads {
    const encoded = {
      bytes: this.#keep(this.#buffer.subarray(0, this.#length)),
      count: this.#count,
    };
    this.#length = 0;
    this.#count = 0;
    return encoded;
  }

  /**
   * A copy in a slab of its own kind: runs are kept for long, and in the pool of node a small one
   * would keep what was beside it as well.
   */
  #keep(bytes: Buffer): Buffer {
    if (bytes.length > SLAB_BYTES / 4) return Buffer.from(bytes);
    if (this.#slabUsed + bytes.length > this.#slab.length) {
      this.#slab = Buffer.allocUnsafeSlow(SLAB_BYTES);
      this.#slabUsed = 0;
    }
    const start = this.#slabUsed;
    this.#slabUsed += bytes.copy(this.#slab, start);
    return this.#slab.subarray(start, this.#slabUsed);
  }

  #grow(): void {
    const larger = Buffer.allocUnsafe(this.#buffer.length * 2);
    this.#buffer.copy(larger, 0, 0, this.#length);
    this.#buffer = larger;
  }
}

/** What a message says beside its reads; proto ReadBatch. */
export interface BatchHead {
  firstSequence: number;
  dropped: number;
  /** Only of the first message of a stream. */
  logId?: string;
  /** Only with a filter. */
  nextSequence?: number;
}

/** Joins runs of encoded reads to one ReadBatch message. */
export function encodeBatch(
  { firstSequence, dropped, logId = '', nextSequence = 0 }: BatchHead,
  runs: readonly Buffer[],
): Buffer {
  const head = Buffer.allocUnsafe(3 * 9 + 2 + logId.length);
  let at = putField(head, 0, BATCH_FIRST_SEQUENCE, firstSequence);
  at = putField(head, at, BATCH_DROPPED, dropped);
  at = putField(head, at, BATCH_NEXT_SEQUENCE, nextSequence);
  if (logId !== '') {
    at = putAlways(head, at, BATCH_LOG_ID, logId.length);
    at += head.write(logId, at, 'latin1');
  }
  return Buffer.concat([head.subarray(0, at), ...runs]);
}

function putResults(to: Buffer, at: number, record: Buffer, offset: number): number {
  for (const result of accessResults(record, offset)) {
    to[at++] = result.memory ? READ_MEMORY : READ_ACCESS;
    const length = at++;
    at = putField(to, at, RESULT_STATUS, result.status);
    at = putField(to, at, RESULT_ERROR, result.error);
    at = putField(to, at, RESULT_WORDS_WRITTEN, result.wordsWritten);
    if (result.data.length > 0) {
      at = putAlways(to, at, RESULT_DATA, result.data.length);
      at += result.data.copy(to, at);
    }
    at = putLength(to, length, at);
  }
  return at;
}

/** Writes the length of what lies after the byte at `from`, up to `end`, and makes room for it. */
function putLength(to: Buffer, from: number, end: number): number {
  const length = end - from - 1;
  const bytes = length < 128 ? 1 : length < 16384 ? 2 : 3;
  if (bytes > 1) to.copyWithin(from + bytes, from + 1, end);
  putVarint(to, from, length);
  return end + bytes - 1;
}

// proto3 leaves zeros out.
function putField(to: Buffer, at: number, key: number, value: number): number {
  return value === 0 ? at : putAlways(to, at, key, value);
}

function putAlways(to: Buffer, at: number, key: number, value: number): number {
  to[at++] = key;
  return putVarint(to, at, value);
}
