/** Times of the contract: 64-bit nanoseconds since the epoch, in the form protobufjs gives them. */

type Long64 = number | { low: number; high: number; unsigned: boolean };

const TWO_32 = 4294967296;

/** Milliseconds since the epoch, with the fraction that a double can hold (below a microsecond). */
export function timeNsToMs(timeNs: Long64): number {
  if (typeof timeNs === 'number') return timeNs / 1e6;
  return ((timeNs.high >>> 0) * TWO_32 + (timeNs.low >>> 0)) / 1e6;
}

/** A 64-bit counter as a number; exact below 2^53. */
export function counterToNumber(counter: Long64 | null | undefined): number {
  if (counter === null || counter === undefined) return 0;
  if (typeof counter === 'number') return counter;
  return (counter.high >>> 0) * TWO_32 + (counter.low >>> 0);
}

/** A 64-bit field of a message to send, exact. */
export function bigIntToLong(value: bigint): never {
  const low = Number(BigInt.asIntN(32, value));
  // The encoder looks at these two alone; its type asks for a whole class of numbers.
  return { low, high: Number(BigInt.asIntN(32, value >> 32n)), unsigned: true } as never;
}

/** A 64-bit field, exact. */
export function longToBigInt(value: Long64 | null | undefined): bigint {
  if (value === null || value === undefined) return 0n;
  if (typeof value === 'number') return BigInt(value);
  return (BigInt(value.high >>> 0) << 32n) | BigInt(value.low >>> 0);
}
