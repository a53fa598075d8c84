/**
 * When TLS handshakes begin. The answer to a client's first message is the dear part, made in one go
 * on the event loop, so each has a turn of the loop to itself, and all together have a share of it.
 */
import { MessageChannel } from 'node:worker_threads';
import { FairLine } from './fair-line.js';
import { LoopShare } from './loop-share.js';

export interface TurnShares {
  /** Of the time of the event loop, for clients that are known and for all others. */
  known: number;
  strangers: number;
  /** Time of handshakes that may be begun at once. */
  aheadMs: number;
  /**
   * Counted for each at least: a part of the work may come later, which a client can see to.
   * So it is a limit of their number as well.
   */
  leastMs: number;
}

const SHARES: TurnShares = { known: 0.4, strangers: 0.2, aheadMs: 100, leastMs: 2 };

interface Group {
  share: LoopShare;
  /** All have a place of a door, so there is a bound. */
  line: FairLine<() => void>;
}

function group(share: number, burstMs: number): Group {
  return {
    share: new LoopShare({ share, burstMs }, performance.now()),
    line: new FairLine(Number.POSITIVE_INFINITY),
  };
}

export class HandshakeTurns {
  readonly #leastMs: number;
  readonly #known: Group;
  readonly #strangers: Group;
  readonly #channel = new MessageChannel();
  #isPlanned = false;
  #timer: NodeJS.Timeout | undefined;

  constructor({ known, strangers, aheadMs, leastMs }: TurnShares = SHARES) {
    this.#leastMs = leastMs;
    this.#known = group(known, aheadMs);
    this.#strangers = group(strangers, aheadMs);
  }

  /** The next one would have to wait. */
  isHeld(isKnown: boolean): boolean {
    const { line, share } = isKnown ? this.#known : this.#strangers;
    return line.length > 0 || share.waitMs(performance.now()) > 0;
  }

  /**
   * @param begin Gives the connection to TLS, which does its work before the end of this turn of the loop.
   * @returns To be called when it does not want to any more.
   */
  enter(key: string, isKnown: boolean, begin: () => void): () => void {
    const { line } = isKnown ? this.#known : this.#strangers;
    line.push(key, begin);
    this.#plan();
    return () => void line.remove(key, begin);
  }

  #plan(): void {
    if (this.#isPlanned) return;
    const waiting = [this.#known, this.#strangers].filter(({ line }) => line.length > 0);
    if (waiting.length === 0) return;
    const now = performance.now();
    const waitMs = Math.min(...waiting.map(({ share }) => share.waitMs(now)));
    // Another one may be due before the one that was waited for.
    clearTimeout(this.#timer);
    if (waitMs > 0) {
      this.#timer = setTimeout(() => this.#plan(), waitMs);
      return;
    }
    this.#isPlanned = true;
    // What came meanwhile is done before it.
    setImmediate(() => this.#whereDataComes(() => this.#go()));
  }

  /**
   * Calls it in that phase of the loop in which data of clients comes. TLS writes there are complete
   * before more is read; elsewhere an alert that answers the next message at once may be lost.
   */
  #whereDataComes(call: () => void): void {
    const { port1, port2 } = this.#channel;
    port1.once('message', call);
    port1.unref();
    port2.postMessage(undefined);
  }

  #go(): void {
    this.#isPlanned = false;
    const now = performance.now();
    const next = [this.#known, this.#strangers].find(
      ({ line, share }) => line.length > 0 && share.waitMs(now) === 0,
    );
    const begin = next?.line.shift();
    if (next === undefined || begin === undefined) {
      this.#plan();
      return;
    }
    begin();
    // TLS reads what is there in the next tick, which comes before this one.
    process.nextTick(() => {
      next.share.use(Math.max(this.#leastMs, performance.now() - now));
      this.#plan();
    });
  }
}

/** There is one event loop in a process. */
export const HANDSHAKE_TURNS = new HandshakeTurns();
