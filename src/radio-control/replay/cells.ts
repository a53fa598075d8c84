/** Turns cells of a recording into fields of a read. Every fault throws an Error that names it. */
import { MAX_EPC_BYTES } from '../record.js';

const PLAIN = /^([+-]?)(\d+)(?:\.(\d*))?$/;
const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/** Decimal places of each unit down to a nanosecond. */
const TIME_PLACES: Record<string, number> = { s: 9, ms: 6, us: 3, ns: 0 };

function refused(cell: string, allowed: string): Error {
  return new Error(`"${cell}" given; allowed: ${allowed}`);
}

export function number(cell: string): number {
  if (!NUMBER.test(cell)) throw refused(cell, 'a number');
  return Number(cell);
}

function inRange(cell: string, value: number, low: number, high: number, unit = ''): number {
  if (value < low || value > high) throw refused(cell, `${low}..${high}${unit && ` ${unit}`}`);
  return value;
}

/** Nanoseconds, exactly: a time since the epoch in seconds has more digits than a double. */
export function nanoseconds(cell: string, unit: string): bigint {
  const places = TIME_PLACES[unit] as number;
  const plain = PLAIN.exec(cell);
  if (plain === null) {
    const value = number(cell) * 10 ** places;
    if (Math.abs(value) > Number.MAX_SAFE_INTEGER) throw refused(cell, 'a time without exponent');
    return BigInt(Math.round(value));
  }
  const [, sign, whole = '', fraction = ''] = plain;
  if (whole.length + places > 19) throw refused(cell, `a time in ${unit}`);
  const digits = BigInt(whole + fraction.slice(0, places).padEnd(places, '0'));
  const rounded = (fraction[places] ?? '0') >= '5' ? digits + 1n : digits;
  return sign === '-' ? -rounded : rounded;
}

export function antennaPort(cell: string): number {
  const port = number(cell);
  if (!Number.isInteger(port)) throw refused(cell, 'an integer, 1..255');
  return inRange(cell, port, 1, 255);
}

export function epcBytes(cell: string): Uint8Array {
  if (!/^([0-9a-f]{4})*$/i.test(cell) || cell.length > 2 * MAX_EPC_BYTES) {
    throw refused(cell, `words of 4 hexadecimal digits, at most ${MAX_EPC_BYTES / 2}`);
  }
  return Buffer.from(cell, 'hex');
}

/** The bytes of a name, padded to whole 16-bit words. */
export function epcOfName(name: string): Uint8Array {
  const bytes = Buffer.from(name, 'utf8');
  if (bytes.length > MAX_EPC_BYTES) {
    throw new Error(
      `the file name "${name}" is to be the EPC; allowed: at most ${MAX_EPC_BYTES} bytes`,
    );
  }
  return Buffer.concat([bytes, Buffer.alloc(bytes.length % 2)]);
}

/** Hundredths of a dBm. */
export function rssiCdbm(cell: string, unit: string): number {
  const scale = unit === 'cdBm' ? 1 : 100;
  const value = inRange(cell, number(cell), -200 * (100 / scale), 50 * (100 / scale), unit);
  return Math.round(value * scale);
}

/** Hundredths of a degree, 0..35999. A phase may be given as -pi..pi just as well as 0..2 pi. */
export function phaseCdeg(cell: string, unit: string): number {
  const turn = unit === 'rad' ? 2 * Math.PI : 360;
  const value = number(cell);
  if (Math.abs(value) > turn * 1.001) throw refused(cell, `within one turn, in ${unit}`);
  return (((Math.round((value / turn) * 36_000) % 36_000) + 36_000) % 36_000) | 0;
}

export function frequencyKhz(cell: string, unit: string): number {
  const scale = unit === 'MHz' ? 1000 : 1;
  const value = inRange(cell, number(cell), 300_000 / scale, 3_000_000 / scale, unit);
  return Math.round(value * scale);
}
