/** Frames of the air as texts of 0 and 1: slow, and plain enough to check the native core with. */

/** A frame as the log has it: hex filled up with zeros to a whole byte, and the number of bits. */
export interface HexFrame {
  bits: number;
  hex: string;
}

export function toBits({ bits, hex }: HexFrame): string {
  let text = '';
  for (const digit of hex) text += Number.parseInt(digit, 16).toString(2).padStart(4, '0');
  return text.slice(0, bits);
}

export function toHexFrame(bits: string): HexFrame {
  return { bits: bits.length, hex: hexOf(bits.padEnd(Math.ceil(bits.length / 8) * 8, '0')) };
}

/** Hex of bits; the last digit is filled up with zeros. */
export function hexOf(bits: string): string {
  let hex = '';
  for (let at = 0; at < bits.length; at += 4) {
    hex += Number.parseInt(bits.slice(at, at + 4).padEnd(4, '0'), 2).toString(16);
  }
  return hex;
}

export function numberBits(value: number, width: number): string {
  return value.toString(2).padStart(width, '0');
}

/** Polynomial x5 + x3 + 1, preset 01001. */
export function crc5(bits: string): string {
  let crc = 0b01001;
  for (const bit of bits) {
    const top = crc >> 4;
    crc = (crc << 1) & 0x1f;
    if (Number(bit) !== top) crc ^= 0x09;
  }
  return numberBits(crc, 5);
}

/** Polynomial 1021h, preset FFFFh, sent inverted. */
export function crc16(bits: string): string {
  let crc = 0xffff;
  for (const bit of bits) {
    const top = crc >> 15;
    crc = (crc << 1) & 0xffff;
    if (Number(bit) !== top) crc ^= 0x1021;
  }
  return numberBits(crc ^ 0xffff, 16);
}

/** An extensible bit vector: blocks of 8 bits, the first of which says that another one follows. */
export function ebv(value: number): string {
  let blocks = numberBits(value % 128, 8);
  for (let rest = Math.floor(value / 128); rest > 0; rest = Math.floor(rest / 128)) {
    blocks = `1${numberBits(rest % 128, 7)}${blocks}`;
  }
  return blocks;
}

/** Takes a frame apart from its beginning. What is not there is told by `broken`. */
export class BitCursor {
  #at = 0;
  broken = false;

  constructor(private readonly bits: string) {}

  take(width: number): string {
    const part = this.bits.slice(this.#at, this.#at + width);
    this.#at += width;
    if (part.length < width) this.broken = true;
    return part.padEnd(width, '0');
  }

  number(width: number): number {
    return width === 0 ? 0 : Number.parseInt(this.take(width), 2);
  }

  ebv(): number {
    let value = 0;
    for (let block = 0; block < 5 && !this.broken; block++) {
      const more = this.take(1) === '1';
      value = value * 128 + this.number(7);
      if (!more) return value;
    }
    this.broken = true;
    return 0;
  }

  /** What is left. */
  rest(): string {
    return this.bits.slice(this.#at);
  }
}
