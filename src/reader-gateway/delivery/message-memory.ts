/**
 * Memory of large messages, used again once they have arrived: a flood of batches would otherwise
 * keep the garbage collector busy with hundreds of megabytes a second.
 */

const STEP_BYTES = 64 * 1024;
/** Smaller messages are cheap, larger ones rare. */
const MIN_BYTES = 16 * 1024;
const MAX_BYTES = 1024 * 1024;
/** Of all spare memory. */
const MAX_SPARE_BYTES = 16_000_000;

/** By their size, in steps. */
const spare: Buffer[][] = [];
let spareBytes = 0;

/** @returns uninitialised memory of just this size. */
export function takeMemory(bytes: number): Buffer {
  if (bytes < MIN_BYTES || bytes > MAX_BYTES) return Buffer.allocUnsafe(bytes);
  const steps = Math.ceil(bytes / STEP_BYTES);
  const used = spare[steps]?.pop();
  if (used !== undefined) spareBytes -= used.length;
  return (used ?? Buffer.allocUnsafeSlow(steps * STEP_BYTES)).subarray(0, bytes);
}

/** Of a message that nobody looks at any more; memory from elsewhere is left alone. */
export function giveBack(message: Buffer): void {
  const { buffer, byteOffset } = message;
  const steps = buffer.byteLength / STEP_BYTES;
  if (byteOffset !== 0 || message.length < MIN_BYTES || !Number.isInteger(steps)) return;
  if (buffer.byteLength > MAX_BYTES || spareBytes + buffer.byteLength > MAX_SPARE_BYTES) return;
  spareBytes += buffer.byteLength;
  spare[steps] ??= [];
  spare[steps].push(Buffer.from(buffer));
}
