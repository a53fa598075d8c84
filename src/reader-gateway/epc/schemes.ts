/** The EPC schemes that have a tag URI (GS1 TDS 2.3, table 14-1 and section 14.6). */
import {
  cage,
  digitString,
  type Field,
  integer,
  paddedInteger,
  partitioned,
  partitionedInteger,
  partitionedPadded,
  partitionedTerminatedText,
  partitionedText,
  terminatedText,
  text,
} from './fields.js';

export interface Scheme {
  /** Its name in a tag URI. */
  tag: string;
  /** Its name in a pure identity URI. */
  identity: string;
  /** Bits of the filter value, which only a tag URI has; 0 = the scheme has none. */
  filterBits: number;
  /** What follows the filter value, in the order of the URI. */
  fields: readonly Field[];
  /** Bits at the end that are reserved: zero. */
  reservedBits: number;
}

const SCHEMES = new Map<number, Scheme>();

function scheme(
  header: number,
  tag: string,
  fields: readonly Field[],
  { filterBits = 3, reservedBits = 0 } = {},
): void {
  const identity = tag.slice(0, tag.lastIndexOf('-'));
  SCHEMES.set(header, { tag, identity, filterBits, fields, reservedBits });
}

const gtin = partitioned(44, partitionedPadded(13));
const grai = partitioned(44, partitionedPadded(12));
const gln = partitioned(41, partitionedPadded(12));
const serialReference = partitioned(58, partitionedPadded(17));
const pieceOfTotal = [paddedInteger(7, 2), paddedInteger(7, 2)];

scheme(0x30, 'sgtin-96', [gtin, integer(38)]);
scheme(0x36, 'sgtin-198', [gtin, text(20)]);
scheme(0x31, 'sscc-96', [serialReference], { reservedBits: 24 });
scheme(0x32, 'sgln-96', [gln, integer(41)]);
scheme(0x39, 'sgln-195', [gln, text(20)]);
scheme(0x33, 'grai-96', [grai, integer(38)]);
scheme(0x37, 'grai-170', [grai, text(16)]);
// Prefix and reference: 30 characters at most, 25 in the form that is a number.
scheme(0x34, 'giai-96', [partitioned(82, partitionedInteger(25))]);
scheme(0x38, 'giai-202', [partitioned(188, partitionedText(30))]);
scheme(0x2d, 'gsrn-96', [serialReference], { reservedBits: 24 });
scheme(0x2e, 'gsrnp-96', [serialReference], { reservedBits: 24 });
scheme(0x2c, 'gdti-96', [gln, integer(41)]);
// Deprecated. TDS 1.6 to 1.13 keep the leading zeros of its serial; the tables of TDT 2.2 forget
// the 1 in front of it.
scheme(0x3a, 'gdti-113', [gln, digitString(58)]);
scheme(0x3e, 'gdti-174', [gln, text(17)]);
scheme(0x3f, 'sgcn-96', [gln, digitString(41)]);
scheme(0x3c, 'cpi-96', [partitioned(51, partitionedInteger(15)), integer(31)]);
// What follows the prefix ends with a zero character, not after some number of bits.
scheme(0x3d, 'cpi-var', [
  partitioned(0, partitionedTerminatedText(30, /^[A-Z0-9#/-]+$/)),
  integer(40, 10n ** 12n),
]);
scheme(0x40, 'itip-110', [gtin, ...pieceOfTotal, integer(38)]);
scheme(0x41, 'itip-212', [gtin, ...pieceOfTotal, text(20)]);
scheme(0x35, 'gid-96', [integer(28), integer(24), integer(36)], { filterBits: 0 });
scheme(0x2f, 'usdod-96', [cage(8), integer(36)], { filterBits: 4 });
// A part number may be missing; a serial number that is unique without it begins with #.
scheme(
  0x3b,
  'adi-var',
  [cage(6), terminatedText(/^[A-Z0-9/-]{0,32}$/), terminatedText(/^(?=.{1,30}$)#?[A-Z0-9/-]+$/)],
  { filterBits: 6 },
);

/** @returns undefined for a header that is unassigned, reserved, or of a scheme without tag URI. */
export function schemeOf(header: number): Scheme | undefined {
  return SCHEMES.get(header);
}
