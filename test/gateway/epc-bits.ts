/** EPCs put together from fields. */

/** @param fields Values and their numbers of bits; zeros fill the last word. */
export function epcOf(...fields: (readonly [value: number | bigint, count: number])[]): Buffer {
  let text = fields.map(([value, count]) => value.toString(2).padStart(count, '0')).join('');
  text = text.padEnd(Math.ceil(text.length / 16) * 16, '0');
  return Buffer.from((text.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}

/** The protocol control word of a tag that has nothing but this EPC. */
export function pcOf(epc: Uint8Array): number {
  return (epc.length / 2) << 11;
}
