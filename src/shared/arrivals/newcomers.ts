/** Connections that have not said anything: so many, and for so long. The oldest goes for a new one. */
import type { Socket } from 'node:net';

export interface NewcomerLimits {
  most: number;
  /** Without a word, milliseconds. */
  withinMs: number;
}

export class Newcomers {
  readonly #limits: NewcomerLimits;
  /** In the order they came. */
  readonly #timers = new Map<Socket, NodeJS.Timeout>();

  constructor(limits: NewcomerLimits) {
    this.#limits = limits;
  }

  add(socket: Socket): void {
    // One that goes away while it waits must not end the service.
    socket.on('error', () => {});
    if (this.#timers.size >= this.#limits.most) this.#timers.keys().next().value?.destroy();
    this.#timers.set(
      socket,
      setTimeout(() => socket.destroy(), this.#limits.withinMs),
    );
    socket.once('close', () => this.remove(socket));
  }

  /** It is one of those that were let in, or gone. */
  remove(socket: Socket): void {
    clearTimeout(this.#timers.get(socket));
    this.#timers.delete(socket);
  }

  /** Adds it until its first bytes are there; none of them is taken. */
  untilItSpeaks(socket: Socket, work: () => void): void {
    this.add(socket);
    socket.once('readable', () => {
      this.remove(socket);
      work();
    });
  }
}
