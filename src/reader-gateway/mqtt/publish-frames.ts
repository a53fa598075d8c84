/**
 * PUBLISH packets of QoS 0 (MQTT 3.1.1 and 5, section 3.3) for events that leave together: a
 * packet at a time through the client costs ten times what the event itself does.
 */

/** Packet type 3 (PUBLISH) with QoS 0; bit 0 is RETAIN. */
const PUBLISH = 0x30;
const RETAIN = 0x01;

export class PublishFrames {
  readonly #first: number;
  /** Topic with its length, and in MQTT 5 the length of no properties. */
  readonly #headers: readonly Buffer[];

  constructor(topics: readonly string[], retain: boolean, isMqtt5: boolean) {
    this.#first = PUBLISH | (retain ? RETAIN : 0);
    this.#headers = topics.map((topic) => {
      const name = Buffer.from(topic);
      const header = Buffer.alloc(2 + name.length + (isMqtt5 ? 1 : 0));
      header.writeUInt16BE(name.length);
      name.copy(header, 2);
      return header;
    });
  }

  /** Each topic gets the event in a packet of its own. */
  get copies(): number {
    return this.#headers.length;
  }

  overheadOf(eventBytes: number): number {
    let bytes = 0;
    for (const { length } of this.#headers) bytes += 1 + lengthBytes(length + eventBytes) + length;
    return bytes;
  }

  /** @returns where the packets end. */
  write(target: Buffer, at: number, event: Buffer): number {
    let end = at;
    for (const header of this.#headers) {
      target[end++] = this.#first;
      end = writeLength(target, end, header.length + event.length);
      target.set(header, end);
      end += header.length;
      target.set(event, end);
      end += event.length;
    }
    return end;
  }
}

/** Of the variable byte integer of the remaining length (section 1.5.5 of MQTT 5). */
function lengthBytes(length: number): number {
  return length < 128 ? 1 : length < 16_384 ? 2 : length < 2_097_152 ? 3 : 4;
}

function writeLength(target: Buffer, at: number, length: number): number {
  let end = at;
  let rest = length;
  while (rest > 127) {
    target[end++] = (rest & 127) | 128;
    rest >>= 7;
  }
  target[end++] = rest;
  return end;
}
