/**
 * The record of one endpoint in the ledger of numbers: 512 bytes, which a disk writes whole.
 *
 * "SGN1", check sum of what follows (u32), key (16 bytes), identity of the boot (16 bytes), flags
 * (u32: 1 = closed in good order, 256 = the first loss was reported once, 512 = the second, and so on),
 * ranges of events and of losses (u16 each), then as f64: how often it was written, next number, first number that is not promised, first that is not reserved,
 * when it was used last; then for each range count, first and last number, first and last time
 * (f64 each). All little-endian. A free record is all zeros.
 */
import { crc32 } from 'node:zlib';
import type { Span } from '../retention/ring.js';
import { joined } from './spans.js';

export interface NumberRecord {
  /** Of the endpoint; `KEY_BYTES`. */
  key: Buffer;
  /** Of the machine, when it was written; `KEY_BYTES`. */
  bootId: Buffer;
  /** Nothing was used after it was written. */
  isClosed: boolean;
  /** The larger one of two records of an endpoint is the newer one. */
  sequence: number;
  /** Number of the next event. */
  next: number;
  /** No number from here on was used before a later record was written. */
  promised: number;
  /** No number from here on was used before all of this was safe on the disk. */
  reserved: number;
  /** Milliseconds since the epoch. */
  usedAtMs: number;
  /** Events that wait or are on the way. */
  events: Span[];
  /** Losses that are counted, and not known to have been reported. */
  losses: Span[];
}

export const RECORD_BYTES = 512;
export const KEY_BYTES = 16;
const MAGIC = 0x314e4753;
const CLOSED = 1;
const FIRST_REPORTED = 256;
const HEAD_BYTES = 88;
const RANGE_BYTES = 40;
const MOST_RANGES = 10;
const MOST_EVENT_RANGES = 6;

/** Ranges beyond those that a record has room for are joined. */
export function writeRecord(target: Buffer, at: number, record: NumberRecord): void {
  const events = joined(record.events, MOST_EVENT_RANGES);
  const losses = joined(record.losses, MOST_RANGES - events.length);
  target.fill(0, at, at + RECORD_BYTES);
  target.writeUInt32LE(MAGIC, at);
  target.set(record.key, at + 8);
  target.set(record.bootId, at + 24);
  let flags = record.isClosed ? CLOSED : 0;
  for (const [index, { reported }] of losses.entries())
    if (reported) flags |= FIRST_REPORTED << index;
  target.writeUInt32LE(flags, at + 40);
  target.writeUInt16LE(events.length, at + 44);
  target.writeUInt16LE(losses.length, at + 46);
  const { sequence, next, promised, reserved, usedAtMs } = record;
  let end = writeDoubles(target, at + 48, [sequence, next, promised, reserved, usedAtMs]);
  for (const { count, firstNum, lastNum, firstAtMs, lastAtMs } of [...events, ...losses]) {
    end = writeDoubles(target, end, [count, firstNum, lastNum, firstAtMs, lastAtMs]);
  }
  target.writeUInt32LE(checkSum(target, at), at + 4);
}

/** @returns undefined if it is free. */
export function readRecord(bytes: Buffer, at: number): NumberRecord | 'damaged' | undefined {
  const own = bytes.subarray(at, at + RECORD_BYTES);
  if (own.every((byte) => byte === 0) && own.length === RECORD_BYTES) return undefined;
  if (own.length < RECORD_BYTES || own.readUInt32LE(0) !== MAGIC) return 'damaged';
  if (own.readUInt32LE(4) !== checkSum(own, 0)) return 'damaged';
  const double = (position: number) => own.readDoubleLE(position);
  const ranges = own.readUInt16LE(44) + own.readUInt16LE(46);
  const spans = Array.from({ length: ranges }, (_, index): Span => {
    const position = HEAD_BYTES + index * RANGE_BYTES;
    return {
      count: double(position),
      firstNum: double(position + 8),
      lastNum: double(position + 16),
      firstAtMs: double(position + 24),
      lastAtMs: double(position + 32),
    };
  });
  const losses = spans.splice(own.readUInt16LE(44));
  const flags = own.readUInt32LE(40);
  for (const [index, span] of losses.entries())
    span.reported = (flags & (FIRST_REPORTED << index)) !== 0;
  return {
    key: Buffer.from(own.subarray(8, 24)),
    bootId: Buffer.from(own.subarray(24, 40)),
    isClosed: (flags & CLOSED) !== 0,
    sequence: double(48),
    next: double(56),
    promised: double(64),
    reserved: double(72),
    usedAtMs: double(80),
    losses,
    events: spans,
  };
}

function writeDoubles(target: Buffer, at: number, values: readonly number[]): number {
  let end = at;
  for (const value of values) end = target.writeDoubleLE(value, end);
  return end;
}

function checkSum(bytes: Buffer, at: number): number {
  return crc32(bytes.subarray(at + 8, at + RECORD_BYTES));
}
