/** What a tag backscatters, as EPC URIs. */
import { BitReader } from './bit-reader.js';
import { controlFields, hasAfi, hex, lowByte } from './control-fields.js';
import { schemeOf } from './schemes.js';

export interface EpcUris {
  /** EPC Tag URI: scheme, filter value and identity, with the control fields that are not zero. */
  tagUri: string;
  /** Pure Identity EPC URI. */
  epcUri: string;
}

/** A URI without its beginning: scheme and what it says. */
interface Bodies {
  tag: string;
  identity: string;
}

const WORD_BYTES = 2;

/**
 * Both are the EPC Raw URI if the EPC is of no scheme that has a tag URI, or not a valid one (GS1
 * TDS, sections 15.2.1 to 15.2.3). Never throws.
 * @param pc Protocol control word as backscattered.
 * @param xpcW1 undefined if the tag sent none.
 * @param epc Bytes as backscattered (0..62); their number counts, not the length in `pc`.
 */
export function epcUris(pc: number, xpcW1: number | undefined, epc: Uint8Array): EpcUris {
  const control = controlFields(pc, xpcW1);
  const bodies = hasAfi(pc) ? undefined : decode(epc);
  if (bodies === undefined) {
    const raw = `urn:epc:raw:${control}${rawBody(pc, epc)}`;
    return { tagUri: raw, epcUri: raw };
  }
  return {
    tagUri: `urn:epc:tag:${control}${bodies.tag}`,
    epcUri: `urn:epc:id:${bodies.identity}`,
  };
}

function decode(epc: Uint8Array): Bodies | undefined {
  if (epc.length % WORD_BYTES !== 0) return undefined;
  const bits = new BitReader(epc);
  const scheme = schemeOf(bits.takeNumber(8));
  if (scheme === undefined) return undefined;
  const filter = scheme.filterBits === 0 ? '' : `${bits.take(scheme.filterBits)}.`;
  const parts: string[] = [];
  for (const field of scheme.fields) {
    const part = field(bits);
    if (part === undefined) return undefined;
    parts.push(part);
  }
  if (bits.take(scheme.reservedBits) !== 0n || !endsHere(bits)) return undefined;
  const identity = parts.join('.');
  return {
    tag: `${scheme.tag}:${filter}${identity}`,
    identity: `${scheme.identity}:${identity}`,
  };
}

/**
 * True if only the zeros are left that fill the last word (GS1 TDS, section 15.1.1). A longer
 * EPC is another one, even if the rest is zero: encoding its URI would not give it back.
 */
function endsHere(bits: BitReader): boolean {
  const { left } = bits;
  return left >= 0 && left < WORD_BYTES * 8 && bits.take(left) === 0n;
}

function rawBody(pc: number, epc: Uint8Array): string {
  const afi = hasAfi(pc) ? `.x${hex(lowByte(pc), 2)}` : '';
  const digits = Buffer.from(epc.buffer, epc.byteOffset, epc.byteLength).toString('hex');
  return `${epc.length * 8}${afi}.x${digits.toUpperCase()}`;
}
