/** What is on the air, as lines, for the packet log and for clients that watch; only while somebody wants it. */
import { errorMessage, SingulateError } from '../../shared/errors.js';
import type { NativeRadio } from '../addon/addon.js';
import { type PacketLine, PacketLines } from './lines.js';

/** A busy air has some hundred packets in this time. */
const TAKE_MS = 100;
/** That the native core keeps between two takes. */
const KEPT_PACKETS = 8192;

export type FeedRadio = Pick<NativeRadio, 'logPackets' | 'packets'>;

export interface PacketTaker {
  /** @param lost Packets that were lost before these. */
  take(lines: readonly PacketLine[], lost: number): void;
}

export class PacketFeed {
  readonly #radio: () => FeedRadio;
  readonly #takers = new Set<PacketTaker>();
  /** That the packets are taken from: another one after a change of the region. */
  #logging: FeedRadio | undefined;
  #lines = new PacketLines();
  #timer: NodeJS.Timeout | undefined;

  constructor(radio: () => FeedRadio) {
    this.#radio = radio;
  }

  /** @returns the end of it. @throws STATE if this radio module cannot show its packets. */
  follow(taker: PacketTaker): () => void {
    if (this.#takers.size === 0) this.#begin();
    this.#takers.add(taker);
    return () => {
      if (!this.#takers.has(taker)) return;
      this.#take();
      this.#takers.delete(taker);
      if (this.#takers.size === 0) this.#end();
    };
  }

  #begin(): void {
    const radio = this.#radio();
    try {
      radio.logPackets(KEPT_PACKETS);
    } catch (error) {
      const why = errorMessage(error);
      throw new SingulateError('STATE', `this radio module has no packet log: ${why}`);
    }
    this.#logging = radio;
    this.#lines = new PacketLines();
    this.#timer = setInterval(() => this.#take(), TAKE_MS);
    this.#timer.unref();
  }

  #end(): void {
    clearInterval(this.#timer);
    this.#logging?.logPackets(0);
    this.#logging = undefined;
  }

  #take(): void {
    const present = this.#radio();
    if (this.#logging !== present) {
      present.logPackets(KEPT_PACKETS);
      this.#logging = present;
    }
    const { packets, lost } = present.packets();
    // The oldest are those that are lost.
    if (lost > 0) this.#lines = new PacketLines();
    if (packets.length === 0 && lost === 0) return;
    const lines = packets.map((packet) => this.#lines.toLine(packet));
    for (const taker of this.#takers) taker.take(lines, lost);
  }
}
