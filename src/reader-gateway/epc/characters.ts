/** Characters of alphanumeric fields, as bits and in a URI. */
import type { BitReader } from './bit-reader.js';

/** What GS1 keys may contain (GS1 TDS, table A-1). */
const TABLE_A = /^[!"%-?A-Z_a-z]+$/;

// Parentheses are not among them: the patterns of URIs of GS1 TDT have them as they are.
const ESCAPED = /["#%&/<>?]/g;

/** A text as a component of a URI. */
export function escapeText(text: string): string {
  return text.replace(
    ESCAPED,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/**
 * A text of 7 bits per character that ends with its first zero character (GS1 TDS, section
 * 14.4.2).
 * @param count Bits of the whole field; those after the text are zero.
 * @returns undefined if it is none.
 */
export function sevenBitText(
  bits: BitReader,
  count: number,
  maxCharacters: number,
): string | undefined {
  let text = '';
  let ended = false;
  for (let index = 0; index < maxCharacters; index++) {
    const code = bits.takeNumber(7);
    if (code === 0) ended = true;
    else if (ended) return undefined;
    else text += String.fromCharCode(code);
  }
  if (bits.take(count - maxCharacters * 7) !== 0n) return undefined;
  return TABLE_A.test(text) ? text : undefined;
}

/** One character of 6 bits (GS1 TDS, table G-1: the low 6 bits of its ASCII code). */
function sixBitCharacter(code: number): string {
  return String.fromCharCode(code < 0x20 ? code + 0x40 : code);
}

/** A text of 6 bits per character up to a zero character (GS1 TDS, section 14.4.8). */
export function sixBitText(bits: BitReader): string {
  let text = '';
  // Zeros after the end of the EPC end the text, too.
  for (let code = bits.takeNumber(6); code !== 0; code = bits.takeNumber(6)) {
    text += sixBitCharacter(code);
  }
  return text;
}

const CAGE_OR_DODAAC = /^(?: [0-9A-HJ-NP-Z]{5}|[0-9A-HJ-NP-Z]{6})$/;

/**
 * Who assigned the number: a CAGE code of 5 characters after a space, which a URI does not show,
 * or a DoDAAC of 6 (GS1 TDS, sections 14.4.7 and, with 8 bits per character, USDoD-96).
 */
export function cageOrDodaac(bits: BitReader, bitsPerCharacter: 6 | 8): string | undefined {
  let text = '';
  for (let index = 0; index < 6; index++) {
    const code = bits.takeNumber(bitsPerCharacter);
    text += bitsPerCharacter === 6 ? sixBitCharacter(code) : String.fromCharCode(code);
  }
  return CAGE_OR_DODAAC.test(text) ? text.trimStart() : undefined;
}
