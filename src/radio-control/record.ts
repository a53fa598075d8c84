/**
 * The read record that crosses from the native core into JavaScript: 96 bytes,
 * little-endian. The C++ side is native/stream/read_record.h; both must agree.
 */
export const RECORD_BYTES = 96;
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
  /** 62 bytes. */
  epc: 32,
} as const;
