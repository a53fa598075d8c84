/**
 * What came of access operations, in the continuation records of a read. The C++ side is
 * native/stream/access_bytes.h; both must agree.
 */
import { RECORD, RECORD_BYTES } from '../record.js';

/** Set in the status of a bank that the report carries. */
export const MEMORY_READ = 0x80;
const HEADER_BYTES = 4;

export interface AccessBytes {
  memory: boolean;
  /** AccessResult.Status of the contract. */
  status: number;
  error: number;
  wordsWritten: number;
  /** A view of the record's bytes. */
  data: Buffer;
}

/** The results after the record at `offset`, in the order of the operations. */
export function* accessResults(record: Buffer, offset: number): Generator<AccessBytes> {
  const more = record[offset + RECORD.more] as number;
  const end = offset + RECORD_BYTES * (1 + more);
  let at = offset + RECORD_BYTES;
  // After the last result the record is filled up with what lay there before: the number of
  // results is in front.
  let left = more === 0 ? 0 : record.readUInt16LE(at);
  at += 2;
  for (; left > 0 && at + HEADER_BYTES <= end; left--) {
    const status = record[at] as number;
    const bytes = 2 * (record[at + 3] as number);
    yield {
      memory: (status & MEMORY_READ) !== 0,
      status: status & ~MEMORY_READ,
      error: record[at + 1] as number,
      wordsWritten: record[at + 2] as number,
      data: record.subarray(at + HEADER_BYTES, at + HEADER_BYTES + bytes),
    };
    at += HEADER_BYTES + bytes;
  }
}
