/**
 * What is known of the other end of a TCP connection: what it has acknowledged, and whether it
 * is still there. Both show in /proc/net/tcp; elsewhere what was written counts as acknowledged.
 *
 * Node sets only the idle time before the first keep-alive probe, and libuv fixes the rest: ten
 * probes, a second apart. So the idle time is what is left of the whole. And while data waits for
 * its acknowledgement there are no probes, the kernel repeats the data for a quarter of an hour:
 * a connection that has repeated itself for the whole time counts as gone.
 */
import { readFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import type { Clock, Timer } from '../../../shared/clock.js';
import type { KeepAlive } from './keep-alive.js';

/** Ten probes, a second apart: fixed by libuv. */
const PROBES_MS = 10_000;
const LOOK_MS = 100;
/** After a goodbye: looks come soon after each other, since nothing more is written. */
const GOODBYE_LOOK_MS = 10;
const GOODBYE_MS = 1000;
/** What the other system has acknowledged, its program has read after so long. */
const READ_AFTER_MS = 500;

export class TcpPeer {
  readonly #socket: Socket;
  readonly #clock: Clock;
  readonly #totalMs: number;
  readonly #onGone: (reason: string) => void;
  #writtenBytes = 0;
  /** What was acknowledged at which time, oldest first. */
  #acknowledged: { atMs: number; bytes: number }[] = [];
  #readBytes = 0;
  #repeatsSinceMs: number | undefined;
  #timer: Timer | undefined;
  #saidGoodbye = false;
  #closed = false;

  /** @param onGone Told when nothing was acknowledged for the whole keep-alive time. */
  constructor(
    socket: Socket,
    { totalMs }: KeepAlive,
    clock: Clock,
    onGone: (reason: string) => void,
  ) {
    this.#socket = socket;
    this.#clock = clock;
    this.#totalMs = totalMs;
    this.#onGone = onGone;
    socket.setKeepAlive(true, Math.max(1000, totalMs - PROBES_MS));
  }

  /** Bytes of messages that its program has read, as far as it can be known. */
  get acknowledgedBytes(): number {
    const limit = this.#clock.now() - READ_AFTER_MS;
    const later = this.#acknowledged.findIndex(({ atMs }) => atMs > limit);
    const known = this.#acknowledged.splice(0, later < 0 ? this.#acknowledged.length : later);
    this.#readBytes = known[known.length - 1]?.bytes ?? this.#readBytes;
    return this.#readBytes;
  }

  /**
   * Bytes of messages that its system has taken. If it ended its side in good order its program had
   * read what was there by then: unread data would have ended the connection with a reset.
   */
  get takenBytes(): number {
    if (!this.#saidGoodbye) return this.acknowledgedBytes;
    return this.#knownBytes;
  }

  /** Called for each message that is written. */
  written(bytes: number): void {
    this.#writtenBytes += bytes;
    this.#lookLater();
  }

  /**
   * To be called when the other side has ended its own; nothing is written any more.
   * @returns once all is acknowledged, or no more will be.
   */
  async goodbye(): Promise<void> {
    this.#saidGoodbye = true;
    this.#timer?.cancel();
    const untilMs = this.#clock.now() + GOODBYE_MS;
    while (!this.#closed) {
      const state = await this.#account();
      const isOver = state === 'gone' || this.#knownBytes >= this.#writtenBytes;
      if (isOver || this.#clock.now() >= untilMs) return;
      await new Promise<void>((resolve) => {
        this.#clock.setTimeout(resolve, GOODBYE_LOOK_MS);
      });
    }
  }

  close(): void {
    this.#closed = true;
    this.#timer?.cancel();
  }

  #lookLater(): void {
    if (this.#timer !== undefined || this.#closed || this.#saidGoodbye) return;
    this.#timer = this.#clock.setTimeout(() => void this.#look(), LOOK_MS);
  }

  async #look(): Promise<void> {
    const state = await this.#account();
    this.#timer = undefined;
    if (this.#closed) return;
    const now = this.#clock.now();
    const repeats = state !== 'gone' && state.repeats;
    this.#repeatsSinceMs = repeats ? (this.#repeatsSinceMs ?? now) : undefined;
    if (now - (this.#repeatsSinceMs ?? now) >= this.#totalMs) {
      this.#onGone(`the client has not answered for ${Math.round(this.#totalMs / 1000)} s`);
      return;
    }
    if (this.#knownBytes < this.#writtenBytes) this.#lookLater();
  }

  /** Asks the kernel what is acknowledged now. */
  async #account(): Promise<ConnectionState | 'gone'> {
    // Taken before the kernel is asked: what is written meanwhile counts as not acknowledged.
    const written = this.#writtenBytes - this.#socket.writableLength;
    const state = await connectionState(this.#socket);
    if (state === 'gone' || this.#closed) return state;
    const bytes = written - state.unacknowledged;
    if (bytes > this.#knownBytes) this.#acknowledged.push({ atMs: this.#clock.now(), bytes });
    return state;
  }

  /** Acknowledged at the last look. */
  get #knownBytes(): number {
    return this.#acknowledged[this.#acknowledged.length - 1]?.bytes ?? this.#readBytes;
  }
}

interface ConnectionState {
  /** Bytes in the kernel that the other end has not acknowledged. */
  unacknowledged: number;
  /** The kernel sends the same once more, since nobody has answered. */
  repeats: boolean;
}

/** @returns gone: the kernel has ended it. All counts as acknowledged where the kernel says nothing. */
async function connectionState(socket: Socket): Promise<ConnectionState | 'gone'> {
  const { localAddress = '', localPort = 0, remoteAddress = '', remotePort = 0 } = socket;
  // An IPv4 client of a socket that takes both is in the list of IPv6.
  const texts = await Promise.all(
    ['/proc/net/tcp', '/proc/net/tcp6'].map((file) => readFile(file, 'utf8').catch(() => '')),
  );
  const [local, remote] = [entryEnd(localAddress, localPort), entryEnd(remoteAddress, remotePort)];
  for (const line of texts.join('\n').split('\n')) {
    // A quick look before the line is taken apart: there may be hundreds.
    if (!line.includes(local) || !line.includes(remote)) continue;
    const [, from = '', to = '', , queues = '', , retransmits = '0'] = line.trim().split(/\s+/);
    if (!from.endsWith(local) || !to.endsWith(remote)) continue;
    const unacknowledged = Number.parseInt(queues.split(':')[0] ?? '0', 16);
    return { unacknowledged, repeats: Number.parseInt(retransmits, 16) > 0 };
  }
  return texts.join('') === '' ? { unacknowledged: 0, repeats: false } : 'gone';
}

/** The end of an entry: of an IPv4 address all of it, of others the port. */
function entryEnd(address: string, port: number): string {
  const hexPort = port.toString(16).toUpperCase().padStart(4, '0');
  const ipv4 = /(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(address)?.slice(1) ?? [];
  // The kernel writes the word of an address in the order of a little-endian machine.
  const hex = ipv4.map((part) => Number(part).toString(16).toUpperCase().padStart(2, '0'));
  return `${hex.reverse().join('')}:${hexPort}`;
}
