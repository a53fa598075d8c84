/** Sizes in bytes, as numbers or as texts such as "256KB". Pure. */

/** No message becomes larger than this, whatever the configuration says. */
export const LARGEST_MESSAGE_BYTES = 1_000_000;

/** What the brokers of the clouds take; they close the connection for more. */
const LARGEST_OF_CLOUDS: Readonly<Record<string, number>> = {
  'mqtt-AWS': 131_072,
  'mqtt-AZURE': 262_144,
};

/** Bytes of a message to a connection of a type. */
export function largestMessage(type: string): number {
  return LARGEST_OF_CLOUDS[type] ?? LARGEST_MESSAGE_BYTES;
}

/** A terabyte: more than any reader has for the events of one endpoint. */
export const LARGEST_SPILL_BYTES = 1_000_000_000_000;

/** `256KB` is 256000 bytes, as the interface's two forms of its default say. */
export function parseSize(size: number | string): number {
  if (typeof size === 'number') return size;
  const found = /^\s*(\d+)\s*([km]?)b?\s*$/i.exec(size);
  const factor = { k: 1000, m: 1_000_000 }[found?.[2]?.toLowerCase() ?? ''] ?? 1;
  return Number(found?.[1] ?? 0) * factor;
}
