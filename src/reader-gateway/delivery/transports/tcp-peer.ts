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

  /** Bytes of messages that have arrived, as far as it can be known. */
  get acknowledgedBytes(): number {
    const limit = this.#clock.now() - READ_AFTER_MS;
    const later = this.#acknowledged.findIndex(({ atMs }) => atMs > limit);
    const known = this.#acknowledged.splice(0, later < 0 ? this.#acknowledged.length : later);
    this.#readBytes = known[known.length - 1]?.bytes ?? this.#readBytes;
    return this.#readBytes;
  }

  /** To be told of each message that is written. */
  written(bytes: number): void {
    this.#writtenBytes += bytes;
    this.#lookLater();
  }

  close(): void {
    this.#closed = true;
    this.#timer?.cancel();
  }

  #lookLater(): void {
    if (this.#timer !== undefined || this.#closed) return;
    this.#timer = this.#clock.setTimeout(() => void this.#look(), LOOK_MS);
  }

  async #look(): Promise<void> {
    // Taken before the kernel is asked: what is written meanwhile counts as not acknowledged.
    const taken = this.#writtenBytes - this.#socket.writableLength;
    const state = (await connectionState(this.#socket)) ?? { unacknowledged: 0, repeats: false };
    this.#timer = undefined;
    if (this.#closed) return;
    const now = this.#clock.now();
    const bytes = Math.max(0, taken - state.unacknowledged);
    const last = this.#acknowledged[this.#acknowledged.length - 1]?.bytes ?? this.#readBytes;
    if (bytes > last) this.#acknowledged.push({ atMs: now, bytes });
    this.#repeatsSinceMs = state.repeats ? (this.#repeatsSinceMs ?? now) : undefined;
    if (now - (this.#repeatsSinceMs ?? now) >= this.#totalMs) {
      this.#onGone(`the client has not answered for ${Math.round(this.#totalMs / 1000)} s`);
      return;
    }
    if (bytes < this.#writtenBytes) this.#lookLater();
  }
}

interface ConnectionState {
  /** Bytes in the kernel that the other end has not acknowledged. */
  unacknowledged: number;
  /** The kernel sends the same once more, since nobody has answered. */
  repeats: boolean;
}

/** @returns undefined if the kernel does not say. */
async function connectionState(socket: Socket): Promise<ConnectionState | undefined> {
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
  return undefined;
}

/** The end of an entry: of an IPv4 address all of it, of others the port. */
function entryEnd(address: string, port: number): string {
  const hexPort = port.toString(16).toUpperCase().padStart(4, '0');
  const ipv4 = /(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(address)?.slice(1) ?? [];
  // The kernel writes the word of an address in the order of a little-endian machine.
  const hex = ipv4.map((part) => Number(part).toString(16).toUpperCase().padStart(2, '0'));
  return `${hex.reverse().join('')}:${hexPort}`;
}
