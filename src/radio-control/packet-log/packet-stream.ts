/** The radio packet log for one client. What waits for it is bounded; the oldest are lost. */
import { Packet, type PacketInput, type PacketsInput } from '../../contract/messages.js';
import { bigIntToLong } from '../../contract/time.js';
import type { PacketLine } from './lines.js';
import type { PacketFeed } from './packet-feed.js';

/** Packets that wait for a slow client at most: some seconds of a busy air. */
export const WAITING_LIMIT = 16_384;
const MESSAGE_PACKETS = 512;

export interface PacketTransport {
  /** @returns false if the transport is full: then `resume` must be called once it can take more. */
  send(packets: PacketsInput): boolean;
}

const DIRECTIONS: Readonly<Record<string, number>> = {
  reader: Packet.Direction.READER,
  tag: Packet.Direction.TAG,
  carrier: Packet.Direction.CARRIER,
};

export class PacketStream {
  readonly #unfollow: () => void;
  #waiting: PacketLine[] = [];
  #dropped = 0;
  #full = false;

  /** @throws STATE if this radio module cannot show its packets. */
  constructor(
    feed: PacketFeed,
    private readonly transport: PacketTransport,
  ) {
    this.#unfollow = feed.follow({ take: (lines, lost) => this.#take(lines, lost) });
  }

  /** The transport can take more. */
  resume(): void {
    this.#full = false;
    this.#sendAll();
  }

  close(): void {
    this.#waiting = [];
    this.#full = true;
    this.#unfollow();
  }

  #take(lines: readonly PacketLine[], lost: number): void {
    this.#dropped += lost;
    this.#waiting.push(...lines);
    const over = this.#waiting.length - WAITING_LIMIT;
    if (over > 0) {
      this.#waiting.splice(0, over);
      this.#dropped += over;
    }
    this.#sendAll();
  }

  #sendAll(): void {
    while (!this.#full && this.#waiting.length > 0) {
      const packets = this.#waiting.splice(0, MESSAGE_PACKETS).map(toMessage);
      this.#full = !this.transport.send({ packets, dropped: this.#dropped });
    }
  }
}

function toMessage(line: PacketLine): PacketInput {
  const { direction, name, antenna, frequencyKhz, fields, bits, hex, withheld, tags } = line;
  return {
    timeNs: bigIntToLong(BigInt(line.timeNs)),
    direction: DIRECTIONS[direction] ?? Packet.Direction.DIRECTION_UNSPECIFIED,
    name,
    antenna: antenna ?? 0,
    frequencyKhz: frequencyKhz ?? 0,
    fieldsJson: fields === undefined ? '' : JSON.stringify(fields),
    bits: bits ?? 0,
    frame: hex === undefined ? new Uint8Array() : Buffer.from(hex, 'hex'),
    withheld: withheld ?? [],
    tags: tags ?? 0,
  };
}
