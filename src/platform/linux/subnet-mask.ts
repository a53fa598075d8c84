/** IPv4 masks as dotted numbers and as the count of their bits. */

export function prefixOf(mask: string): number {
  const bits = mask.split('.').map((part) => Number(part).toString(2).padStart(8, '0'));
  return bits.join('').lastIndexOf('1') + 1;
}

export function maskOf(prefix: number): string {
  const bits = '1'.repeat(prefix).padEnd(32, '0');
  return [0, 8, 16, 24].map((at) => Number.parseInt(bits.slice(at, at + 8), 2)).join('.');
}
