/** Encoded reads (`ReadBatch.reads`) as bytes: walks over them without decoding. */

const LENGTH_OF_KEY = 1;

/** A varint; `end` is after it. */
export function varintAt(bytes: Uint8Array, at: number): { value: number; end: number } {
  let value = 0;
  let factor = 1;
  let next = at;
  for (;;) {
    const byte = bytes[next++] as number;
    value += (byte & 127) * factor;
    if (byte < 128) return { value, end: next };
    factor *= 128;
  }
}

/** Where the `count`th read from `at` on begins. */
export function skipReads(bytes: Uint8Array, at: number, count: number): number {
  let next = at;
  for (let i = 0; i < count; i++) {
    const { value, end } = varintAt(bytes, next + LENGTH_OF_KEY);
    next = end + value;
  }
  return next;
}

/** After the value of a field whose key is at `at`; keys of TagRead are one byte. */
export function endOfField(bytes: Uint8Array, at: number): number {
  const value = at + LENGTH_OF_KEY;
  switch ((bytes[at] as number) & 7) {
    case 0: {
      let next = value;
      while ((bytes[next] as number) >= 128) next++;
      return next + 1;
    }
    case 1:
      return value + 8;
    default: {
      const length = varintAt(bytes, value);
      return length.end + length.value;
    }
  }
}

/** @returns after it. */
export function putVarint(to: Buffer, at: number, value: number): number {
  let next = at;
  let rest = value;
  // Division, not shifts: sequence numbers pass 32 bits.
  while (rest >= 128) {
    to[next++] = (rest % 128) | 128;
    rest = Math.floor(rest / 128);
  }
  to[next++] = rest;
  return next;
}
