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

type Done = (error?: Error | null) => void;

export class ElasticSocket extends Duplex {
  readonly #socket: Socket;
  readonly #onCut: () => void;
  /** Writes that the kernel has not taken whole. */
  #waiting = 0;
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
    this.#send(chunk);
    done();
  }

  /** Small frames go as one: each piece costs the kernel's buffer far more than its bytes. */
  override _writev(chunks: { chunk: Buffer }[], done: Done): void {
    this.#send(Buffer.concat(chunks.map(({ chunk }) => chunk)));
    done();
  }

  override _final(done: Done): void {
    this.#socket.end(done);
  }

  override _destroy(error: Error | null, done: Done): void {
    clearInterval(this.#timer);
    this.#socket.destroy();
    done(error);
  }

  #send(bytes: Buffer): void {
    this.#waiting += 1;
    this.#socket.write(bytes, () => this.#taken());
    if (this.#socket.writableLength > MOST_KEPT_BYTES) this.#cut();
    else if (this.#socket.writableLength > 0) this.#watch();
  }

  #taken(): void {
    this.#waiting -= 1;
    this.#standsMs = 0;
    if (this.#waiting > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
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
