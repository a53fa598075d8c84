/**
 * Frames of the Mercury protocol, as far as looking for modules and loading firmware need them.
 * Reading tags is the native core's (native/radio/mercury), which has its own.
 * Host: FF length opcode data crc; module: FF length opcode status status data crc.
 */

export const OPCODE = {
  version: 0x03,
  bootApplication: 0x04,
  setBaudRate: 0x06,
  eraseFlash: 0x07,
  verifyImage: 0x08,
  bootBootloader: 0x09,
  currentProgram: 0x0c,
  writeFlash: 0x0d,
  continuous: 0x2f,
  silion: 0xaa,
} as const;

export const STATUS = { success: 0x0000, invalidOpcode: 0x0101 } as const;

/** Stops continuous reading, also of a host that is gone. */
export const STREAM_STOP = Uint8Array.of(0x00, 0x00, 0x02);

export interface Reply {
  opcode: number;
  status: number;
  data: Buffer;
}

const START = 0xff;
const MOST_REPLY_DATA = 248;
const HEAD_BYTES = 5;
const CRC_BYTES = 2;
/** A line that says nothing sensible is not kept for ever. */
const MOST_KEPT = 4096;

/** Over everything between the start byte and the CRC. */
export function frameCrc(bytes: Uint8Array): number {
  let crc = 0xffff;
  for (const byte of bytes) {
    for (let bit = 7; bit >= 0; bit--) {
      const carry = crc & 0x8000;
      crc = ((crc << 1) | ((byte >> bit) & 1)) & 0xffff;
      if (carry !== 0) crc ^= 0x1021;
    }
  }
  return crc;
}

export function encodeCommand(opcode: number, data: Uint8Array = new Uint8Array()): Buffer {
  const frame = Buffer.alloc(3 + data.length + CRC_BYTES);
  frame[0] = START;
  frame[1] = data.length;
  frame[2] = opcode;
  frame.set(data, 3);
  frame.writeUInt16BE(frameCrc(frame.subarray(1, 3 + data.length)), 3 + data.length);
  return frame;
}

/** Finds replies in bytes that may be cut anywhere, and may hold anything between them. */
export class ReplyReader {
  #bytes: Buffer = Buffer.alloc(0);

  /** @returns whole replies, in their order. */
  take(bytes: Uint8Array): Reply[] {
    this.#bytes = Buffer.concat([this.#bytes, bytes]).subarray(-MOST_KEPT);
    const replies: Reply[] = [];
    for (;;) {
      const start = this.#bytes.indexOf(START);
      this.#bytes = start < 0 ? Buffer.alloc(0) : this.#bytes.subarray(start);
      const length = this.#bytes[1];
      if (length === undefined) return replies;
      const content = HEAD_BYTES + length;
      if (length <= MOST_REPLY_DATA && this.#bytes.length < content + CRC_BYTES) return replies;
      if (length > MOST_REPLY_DATA || !this.#crcFits(content)) {
        this.#bytes = this.#bytes.subarray(1);
        continue;
      }
      replies.push({
        opcode: this.#bytes[2] as number,
        status: this.#bytes.readUInt16BE(3),
        data: Buffer.from(this.#bytes.subarray(HEAD_BYTES, content)),
      });
      this.#bytes = this.#bytes.subarray(content + CRC_BYTES);
    }
  }

  #crcFits(content: number): boolean {
    return frameCrc(this.#bytes.subarray(1, content)) === this.#bytes.readUInt16BE(content);
  }
}
