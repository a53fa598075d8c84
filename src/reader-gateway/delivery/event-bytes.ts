/**
 * Tag events as UTF-8 JSON. They are written once as bytes; endpoints and streams copy them beside
 * their own numbers, which costs a tenth of joining and encoding texts again for each.
 */

/** An event, cut where its number goes: the number is the endpoint's, the rest is shared. */
export interface SplitEvent {
  head: Uint8Array;
  tail: Uint8Array;
}

export function splitText(head: string, tail: string): SplitEvent {
  return { head: Buffer.from(head), tail: Buffer.from(tail) };
}

/** The whole event with its number. */
export function eventText({ head, tail }: SplitEvent, eventNum: number): string {
  return Buffer.concat([head, Buffer.from(String(eventNum)), tail]).toString();
}

/** Above these, numbers are not written digit by digit. */
const MAX_SMALL = 0x7fff_ffff;
const ZERO = '0'.charCodeAt(0);

/** Digits of a number of 0 and above. */
export function digitsOf(value: number): number {
  if (value > MAX_SMALL) return String(value).length;
  let digits = 1;
  for (let rest = value; rest >= 10; rest = (rest / 10) | 0) digits++;
  return digits;
}

/** Writes a number of 0 and above. @returns where it ends. */
export function writeNumber(target: Uint8Array, at: number, value: number): number {
  const end = at + digitsOf(value);
  if (value > MAX_SMALL) {
    const text = String(value);
    for (let i = 0; i < text.length; i++) target[at + i] = text.charCodeAt(i);
    return end;
  }
  let rest = value;
  for (let i = end - 1; i >= at; i--) {
    const tenth = (rest / 10) | 0;
    target[i] = ZERO + rest - 10 * tenth;
    rest = tenth;
  }
  return end;
}

const HEX = Buffer.from('0123456789abcdef');
const CHUNK_BYTES = 64 * 1024;

/** Writes events one after the other into chunks; what was handed out is never written again. */
export class EventWriter {
  #chunk = Buffer.allocUnsafeSlow(CHUNK_BYTES);
  #start = 0;
  #at = 0;
  #cut = 0;

  begin(): void {
    this.#start = this.#at;
  }

  bytes(bytes: Uint8Array): void {
    this.#room(bytes.length);
    this.#chunk.set(bytes, this.#at);
    this.#at += bytes.length;
  }

  text(text: string): void {
    // A UTF-16 unit has three bytes at the most.
    this.#room(3 * text.length);
    this.#at += this.#chunk.write(text, this.#at);
  }

  /** An integer. */
  number(value: number): void {
    this.#room(20);
    if (value < 0) this.#chunk[this.#at++] = 0x2d;
    this.#at = writeNumber(this.#chunk, this.#at, Math.abs(value));
  }

  /** Lower-case hexadecimal. */
  hex(bytes: Uint8Array): void {
    this.#room(2 * bytes.length);
    const chunk = this.#chunk;
    let at = this.#at;
    for (const byte of bytes) {
      chunk[at++] = HEX[byte >> 4] as number;
      chunk[at++] = HEX[byte & 15] as number;
    }
    this.#at = at;
  }

  /** Four hexadecimal digits. */
  word(value: number): void {
    this.#room(4);
    for (let shift = 12; shift >= 0; shift -= 4) {
      this.#chunk[this.#at++] = HEX[(value >> shift) & 15] as number;
    }
  }

  /** The number goes here. */
  cut(): void {
    this.#cut = this.#at;
  }

  end(): SplitEvent {
    const chunk = this.#chunk;
    return {
      head: chunk.subarray(this.#start, this.#cut),
      tail: chunk.subarray(this.#cut, this.#at),
    };
  }

  /** Goes to another chunk, with what there is of the event, if this one has no room. */
  #room(bytes: number): void {
    if (this.#at + bytes <= this.#chunk.length) return;
    const begun = this.#at - this.#start;
    const chunk = Buffer.allocUnsafeSlow(Math.max(CHUNK_BYTES, 2 * (begun + bytes)));
    this.#chunk.copy(chunk, 0, this.#start, this.#at);
    this.#cut -= this.#start;
    this.#chunk = chunk;
    this.#start = 0;
    this.#at = begun;
  }
}
