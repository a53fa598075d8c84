/**
 * Between HTTP/2 and the socket of a client: takes what is written at once, and keeps what the client
 * does not take yet. Node's HTTP/2 stops reading while a write of its own waits; if the client's does
 * the same, neither of them reads ever again. With this between them this side always reads. What
 * is kept is bounded by the windows of HTTP/2, and by a limit for all that has none (answers to pings
 * and settings, headers). A client that takes nothing for a while is cut off, by a timer of its own:
 * a ping would wait among the rest.
 */
import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';

/** What may be kept for a client beyond what the kernel has, bytes. */
export const MOST_KEPT_BYTES = 4 * 1024 * 1024;
/** A client that takes nothing for so long, while something waits for it, is cut off. */
export const STANDING_MS = 5000;
const LOOK_MS = 1000;
/** The kernel is given no more at once: a client that takes this much in that time is slow, and stays. */
const PIECE_BYTES = 16 * 1024;

type Done = (error?: Error | null) => void;

export class ElasticSocket extends Duplex {
  readonly #socket: Socket;
  readonly #onCut: () => void;
  /** What the kernel was not given yet, in pieces. */
  readonly #kept: Buffer[] = [];
  #keptBytes = 0;
  /** The kernel has not taken all of the last piece. */
  #isWriting = false;
  /** Once all is taken: nothing more comes. */
  #last: Done | undefined;
  /** With something that waits, and nothing taken, milliseconds. */
  #standsMs = 0;
  #timer: NodeJS.Timeout | undefined;
  #lookedAt = 0;

  /** @param onCut Told before a client that takes nothing, or not enough, is cut off. */
  constructor(socket: Socket, onCut: () => void) {
    super({ allowHalfOpen: true, autoDestroy: true });
    this.#socket = socket;
    this.#onCut = onCut;
    socket.on('data', (chunk) => {
      if (!this.push(chunk)) socket.pause();
    });
    socket.on('end', () => this.push(null));
    socket.on('error', (error) => this.destroy(error));
    socket.on('close', () => this.destroy());
  }

  override _read(): void {
    this.#socket.resume();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: Done): void {
    this.#keep(chunk);
    this.#send();
    done();
  }

  /** Small frames go as one: each piece costs the kernel's buffer far more than its bytes. */
  override _writev(chunks: { chunk: Buffer }[], done: Done): void {
    for (const { chunk } of chunks) this.#keep(chunk);
    this.#send();
    done();
  }

  override _final(done: Done): void {
    this.#last = done;
    if (!this.#isWriting) this.#writeNext();
  }

  override _destroy(error: Error | null, done: Done): void {
    clearInterval(this.#timer);
    this.#kept.length = 0;
    this.#socket.destroy();
    done(error);
  }

  #keep(bytes: Buffer): void {
    for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
      this.#kept.push(bytes.subarray(at, at + PIECE_BYTES));
    }
    this.#keptBytes += bytes.length;
  }

  #send(): void {
    if (!this.#isWriting) this.#writeNext();
    if (this.#keptBytes > MOST_KEPT_BYTES) this.#cut();
    else if (this.#socket.writableLength > 0) this.#watch();
  }

  #writeNext(): void {
    if (this.destroyed) return;
    if (this.#kept.length > 0) {
      this.#isWriting = true;
      this.#socket.write(this.#nextPiece(), () => this.#taken());
    } else {
      clearInterval(this.#timer);
      this.#timer = undefined;
      if (this.#last !== undefined) this.#socket.end(this.#last);
    }
  }

  /** As many of those that wait as fit into one piece. */
  #nextPiece(): Buffer {
    let bytes = 0;
    const above = this.#kept.findIndex((chunk) => {
      bytes += chunk.length;
      return bytes > PIECE_BYTES;
    });
    const chunks = this.#kept.splice(0, above < 0 ? this.#kept.length : above);
    const piece = chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks);
    this.#keptBytes -= piece.length;
    return piece;
  }

  #taken(): void {
    this.#isWriting = false;
    this.#standsMs = 0;
    this.#writeNext();
  }

  #watch(): void {
    if (this.#timer !== undefined) return;
    this.#standsMs = 0;
    this.#lookedAt = performance.now();
    this.#timer = setInterval(() => {
      const now = performance.now();
      // A time in which this service itself did not run does not count: nothing could be taken.
      this.#standsMs += Math.min(now - this.#lookedAt, 2 * LOOK_MS);
      this.#lookedAt = now;
      if (this.#standsMs >= STANDING_MS) this.#cut();
    }, LOOK_MS);
  }

  #cut(): void {
    this.#onCut();
    this.destroy();
  }
}
