/** The kinds of fields that EPC schemes are made of (GS1 TDS, section 14.4). */
import type { BitReader } from './bit-reader.js';
import { cageOrDodaac, escapeText, sevenBitText, sixBitText } from './characters.js';

/** Takes its bits and gives its part of the URI, or undefined if they are no value of the field. */
export type Field = (bits: BitReader) => string | undefined;

/** What shares its bits with a company prefix: the longer that is, the fewer it gets. */
type PartitionedField = (
  bits: BitReader,
  count: number,
  prefixDigits: number,
) => string | undefined;

/** Bits of a company prefix by partition: of 12 digits, 11, .. 6 (GS1 TDT). 7 is reserved. */
const PREFIX_BITS = [40, 37, 34, 30, 27, 24, 20];

/** A number without leading zeros. */
export function integer(count: number, limit?: bigint): Field {
  return (bits) => {
    const value = bits.take(count);
    return limit === undefined || value < limit ? String(value) : undefined;
  };
}

/** A number with leading zeros; none at all of 0 digits, which has to be zero. */
function padded(value: bigint, digits: number): string | undefined {
  const text = value === 0n ? '' : String(value);
  return text.length <= digits ? text.padStart(digits, '0') : undefined;
}

export function paddedInteger(count: number, digits: number): Field {
  return (bits) => padded(bits.take(count), digits);
}

/**
 * At least one digit, whose leading zeros count: a 1 stands in front (GS1 TDS, section 14.4.6). A
 * field has no room for more digits than it may have.
 */
export function digitString(count: number): Field {
  return (bits) => {
    const text = String(bits.take(count));
    return text.startsWith('1') && text.length >= 2 ? text.slice(1) : undefined;
  };
}

export function text(maxCharacters: number): Field {
  return (bits) => escaped(sevenBitText(bits, maxCharacters * 7, maxCharacters));
}

/** @param allowed The values of the field. */
export function terminatedText(allowed: RegExp): Field {
  return (bits) => {
    const value = sixBitText(bits);
    return allowed.test(value) ? escapeText(value) : undefined;
  };
}

export function cage(bitsPerCharacter: 6 | 8): Field {
  return (bits) => cageOrDodaac(bits, bitsPerCharacter);
}

function escaped(value: string | undefined): string | undefined {
  return value === undefined ? undefined : escapeText(value);
}

/**
 * A company prefix and the field after it; the first three bits say where one ends.
 * @param count Bits of the two together.
 */
export function partitioned(count: number, other: PartitionedField): Field {
  return (bits) => {
    const partition = bits.takeNumber(3);
    const prefixBits = PREFIX_BITS[partition];
    if (prefixBits === undefined) return undefined;
    const digits = 12 - partition;
    const prefix = padded(bits.take(prefixBits), digits);
    const rest = other(bits, count - prefixBits, digits);
    return prefix === undefined || rest === undefined ? undefined : `${prefix}.${rest}`;
  };
}

/** @param digits Digits that it has together with the company prefix. */
export function partitionedPadded(digits: number): PartitionedField {
  return (bits, count, prefixDigits) => padded(bits.take(count), digits - prefixDigits);
}

/** @param maxDigits Most digits that it has together with the company prefix. */
export function partitionedInteger(maxDigits: number): PartitionedField {
  return (bits, count, prefixDigits) => {
    const value = String(bits.take(count));
    return value.length <= maxDigits - prefixDigits ? value : undefined;
  };
}

/** @param maxCharacters Most characters that it has together with the company prefix. */
export function partitionedText(maxCharacters: number): PartitionedField {
  return (bits, count, prefixDigits) =>
    escaped(sevenBitText(bits, count, maxCharacters - prefixDigits));
}

/** A text up to its zero character: it does not care for the bits that the prefix left it. */
export function partitionedTerminatedText(
  maxCharacters: number,
  allowed: RegExp,
): PartitionedField {
  return (bits, _count, prefixDigits) => {
    const value = sixBitText(bits);
    const fits = allowed.test(value) && value.length <= maxCharacters - prefixDigits;
    return fits ? escapeText(value) : undefined;
  };
}
