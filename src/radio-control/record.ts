/**
 * The read record that crosses from the native core into JavaScript: 104 bytes,
 * little-endian. The C++ side is native/stream/read_record.h; both must agree.
 *
 * What came of access operations follows its record in continuation records, as many as `more`
 * says: bytes from the first to the last of them (access-bytes.ts). drain() never parts them.
 */
export const RECORD_BYTES = 104;
export const MAX_EPC_BYTES = 62;

/** Byte offsets of the fields. */
export const RECORD = {
  /** u64, nanoseconds since the Unix epoch (in a recording: since its start). */
  timeNs: 0,
  /** u64, from 1, counts every singulation, dropped ones included. */
  sequence: 8,
  /** u32, carrier frequency. */
  frequencyKhz: 16,
  /** i16, hundredths of a dBm. */
  rssiCdbm: 20,
  /** u16, hundredths of a degree, 0..35999. */
  phaseCdeg: 22,
  /** u16, protocol control word. */
  pc: 24,
  /** u16, packet CRC-16. */
  crc: 26,
  /** u8, antenna port. */
  antenna: 28,
  /** u8, bytes of EPC that follow, 0..62. */
  epcBytes: 29,
  /** u8, see HAS_XPC and ACCESS_FAILED. */
  flags: 30,
  /** u8, continuation records that follow this one. */
  more: 31,
  /** 62 bytes. */
  epc: 32,
  /** u16, with HAS_XPC. */
  xpcW1: 94,
  /** u16, of an array antenna, from 1; 0 = the antenna as a whole. */
  beam: 96,
  /** u8, which plan of the inventory: 0, then counted at each change. */
  plan: 98,
  /** u8, counted at each start of reading by a start condition. */
  period: 99,
} as const;

/** Bits of `flags`. */
export const HAS_XPC = 0x01;
/** At least one access operation, or read of a memory bank, did not succeed. */
export const ACCESS_FAILED = 0x02;
