/**
 * The places of a door: connections that may be there at a time. No address takes more than its
 * share; strangers, who have shown nothing yet, cannot take those that are kept for known addresses;
 * and one who is silent makes room for others when there is none left.
 */
import type { Socket } from 'node:net';
import { clientKey } from './client-key.js';
import type { ArrivalRefusal, DoorCounts } from './door-counts.js';
import type { KnownClients } from './known-clients.js';

export interface PlaceLimits {
  all: number;
  /** Of one address (of IPv6, of one network of 64 bits). */
  perClient: number;
  /** Of all: kept free for known addresses. */
  kept: number;
  /** Of strangers: before the handshake has ended. */
  early: number;
  /** Time for the handshake, from the first packet on. */
  handshakeMs: number;
}

/** When strangers have taken nearly all that is theirs: for a handshake, and for the first request. */
const CROWDED_MS = 2500;
const NEARLY_FULL = 0.75;
const LOOK_MS = 500;

export class Place {
  /** It has not said its first message. */
  isSilent = true;
  /** The handshake has not ended. */
  isEarly = true;
  /** What it is used for now, requests or all that it came for: then it is not asked to make room. */
  uses = 0;
  /** Since it came, or since its handshake. */
  sinceMs = performance.now();
  /** Without a request so far. */
  isNew = true;

  constructor(
    readonly key: string,
    readonly socket: Socket,
  ) {}
}

export class Places {
  readonly known: KnownClients;
  readonly counts: DoorCounts;
  readonly #limits: PlaceLimits;
  readonly #onRefused: (reason: ArrivalRefusal, address: string | undefined) => void;
  readonly #places = new Set<Place>();
  readonly #ofClient = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;

  /** @param onRefused Called for each connection that is closed for want of a place or of time. */
  constructor(
    limits: PlaceLimits,
    known: KnownClients,
    counts: DoorCounts,
    onRefused: (reason: ArrivalRefusal, address: string | undefined) => void = () => {},
  ) {
    this.#onRefused = onRefused;
    this.#limits = limits;
    this.known = known;
    this.counts = counts;
  }

  /** @returns undefined: there is none for it, and it was closed. It ends with the connection. */
  take(socket: Socket): Place | undefined {
    const key = clientKey(socket.remoteAddress ?? '');
    const reason = this.#refusal(key);
    if (reason !== undefined) {
      this.#refuse(socket, reason);
      return undefined;
    }
    const place = new Place(key, socket);
    this.#places.add(place);
    this.#ofClient.set(key, (this.#ofClient.get(key) ?? 0) + 1);
    socket.once('close', () => this.#leave(place));
    this.#timer ??= setInterval(() => this.#look(), LOOK_MS).unref();
    return place;
  }

  end(place: Place, reason: ArrivalRefusal): void {
    this.#leave(place);
    this.#refuse(place.socket, reason);
  }

  closeAll(): void {
    for (const { socket } of this.#places) socket.destroy();
  }

  #leave(place: Place): void {
    if (!this.#places.delete(place)) return;
    const left = (this.#ofClient.get(place.key) ?? 1) - 1;
    if (left > 0) this.#ofClient.set(place.key, left);
    else this.#ofClient.delete(place.key);
    if (this.#places.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** @returns undefined: there is room, now. */
  #refusal(key: string): 'client' | 'places' | undefined {
    const { all, perClient, kept, early } = this.#limits;
    if ((this.#ofClient.get(key) ?? 0) >= perClient) {
      const oldest = first(this.#places, (one) => one.key === key && one.isSilent);
      if (oldest === undefined) return 'client';
      this.end(oldest, 'replaced');
    }
    const strangers = this.#strangers();
    const isFull = this.#places.size >= all;
    if (this.known.has(key)) return isFull ? this.#makeRoom(strangers, undefined) : undefined;
    const ofEarly = strangers.filter(({ isEarly }) => isEarly);
    if (ofEarly.length >= early) return this.#makeRoom(ofEarly, key);
    return isFull || strangers.length >= all - kept ? this.#makeRoom(strangers, key) : undefined;
  }

  /**
   * The oldest connection of the address that has most makes room.
   * @param key Of a stranger who comes: nobody who has fewer than it goes for it.
   */
  #makeRoom(strangers: Place[], key: string | undefined): 'places' | undefined {
    const idle = strangers.filter(({ uses }) => uses === 0);
    const count = new Map<string, number>();
    for (const one of idle) count.set(one.key, (count.get(one.key) ?? 0) + 1);
    const [greediest, most] = [...count].reduce((a, b) => (b[1] > a[1] ? b : a), ['', 0]);
    const own = key === undefined ? 0 : (count.get(key) ?? 0);
    const oldest = first(idle, (one) => one.key === greediest);
    if (oldest === undefined || most <= own) return 'places';
    this.end(oldest, 'replaced');
    return undefined;
  }

  #refuse(socket: Socket, reason: ArrivalRefusal): void {
    this.counts.refused[reason]++;
    this.#onRefused(reason, socket.remoteAddress);
    socket.destroy();
  }

  #strangers(): Place[] {
    return [...this.#places].filter(({ key }) => !this.known.has(key));
  }

  /** Nobody has its place for long without a word. */
  #look(): void {
    const { all, kept, early, handshakeMs } = this.#limits;
    const strangers = this.#strangers();
    const ofEarly = strangers.filter(({ isEarly }) => isEarly).length;
    const isCrowded =
      strangers.length >= NEARLY_FULL * (all - kept) || ofEarly >= NEARLY_FULL * early;
    const now = performance.now();
    const isLate = ({ isEarly, uses, isNew, sinceMs, key }: Place) => {
      const age = now - sinceMs;
      if (isEarly && age > handshakeMs) return true;
      return isCrowded && isNew && uses === 0 && age > CROWDED_MS && !this.known.has(key);
    };
    for (const place of [...this.#places].filter(isLate)) this.end(place, 'late');
  }
}

/** In the order in which they came. */
function first(places: Iterable<Place>, fits: (place: Place) => boolean): Place | undefined {
  for (const place of places) if (fits(place)) return place;
  return undefined;
}
