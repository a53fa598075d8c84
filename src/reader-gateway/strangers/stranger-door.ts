/**
 * Requests without a valid token share a small part of the event loop. One of them begins in a turn
 * of it, after all that waited there; above the part they wait, each address and its logins in turn.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { clientKey } from '../../shared/arrivals/client-key.js';
import { FairLine } from '../../shared/arrivals/fair-line.js';
import { LoopShare, type ShareLimits } from '../../shared/arrivals/loop-share.js';
import { errorAnswer } from '../api/errors.js';
import { refuse } from '../http/request-guard.js';

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

export interface StrangerLimits extends ShareLimits {
  /** Requests of all of them that wait. */
  mostWaiting: number;
}

export const STRANGER_LIMITS: StrangerLimits = { share: 0.1, burstMs: 500, mostWaiting: 128 };

const LOGIN_PATH = '/cloud/localRestLogin';
/** What the handler does not see of a request costs about as much again: parser, TLS, its end. */
const UNSEEN = 2;
const RETRY_AFTER_S = 2;

export interface StrangerCounts {
  /** Requests that wait now. */
  waiting: number;
  /** Since the start: those that were carried out. */
  taken: number;
  /** Those that there was no room for. */
  refused: number;
  /** Time of the event loop that all of them used. */
  usedMs: number;
}

export const NO_STRANGERS: Readonly<StrangerCounts> = {
  waiting: 0,
  taken: 0,
  refused: 0,
  usedMs: 0,
};

interface Waiting {
  request: IncomingMessage;
  response: ServerResponse;
  forget(): void;
}

export class StrangerDoor {
  readonly #share: LoopShare;
  readonly #line: FairLine<Waiting>;
  #isNextPlanned = false;

  /**
   * @param isKnown Whether a request has a valid token; must cost next to nothing.
   * @param handler Checks tokens by itself.
   * @param counts Are kept up to date.
   */
  constructor(
    private readonly isKnown: (request: IncomingMessage) => boolean,
    private readonly handler: Handler,
    private readonly counts: StrangerCounts,
    limits: StrangerLimits,
  ) {
    this.#share = new LoopShare(limits, performance.now());
    this.#line = new FairLine(limits.mostWaiting);
  }

  readonly handle: Handler = (request, response) => {
    if (this.isKnown(request)) {
      this.handler(request, response);
      return;
    }
    const key = laneOf(request);
    const leave = () => {
      this.#line.remove(key, waiting);
      this.counts.waiting = this.#line.length;
    };
    const forget = () => void request.socket.off('close', leave);
    const waiting: Waiting = { request, response, forget };
    request.socket.once('close', leave);
    const tooMany = this.#line.push(key, waiting);
    if (tooMany !== undefined) this.#refuse(tooMany);
    this.counts.waiting = this.#line.length;
    this.#plan();
  };

  #plan(): void {
    if (this.#isNextPlanned || this.#line.length === 0) return;
    this.#isNextPlanned = true;
    const waitMs = this.#share.waitMs(performance.now());
    if (waitMs > 0) setTimeout(() => this.#next(), waitMs).unref();
    else this.#next();
  }

  #next(): void {
    let began: number | undefined;
    let isFirstPart = true;
    setImmediate(() => {
      const next = this.#line.shift();
      if (next === undefined) return;
      next.forget();
      this.counts.waiting = this.#line.length;
      this.counts.taken++;
      this.#measureWrites(next.response, () => !isFirstPart);
      began = performance.now();
      this.handler(next.request, next.response);
    });
    // Right after the one before, and all that follows from it without waiting for anything.
    setImmediate(() => {
      isFirstPart = false;
      if (began !== undefined) this.#use(UNSEEN * (performance.now() - began));
      this.#isNextPlanned = false;
      this.#plan();
    });
  }

  /** What is sent later, as of files, is used later. */
  #measureWrites(response: ServerResponse, isLater: () => boolean): void {
    for (const name of ['write', 'end'] as const) {
      const send = response[name].bind(response) as (...args: unknown[]) => unknown;
      response[name] = ((...args: unknown[]) => {
        if (!isLater()) return send(...args);
        const began = performance.now();
        const result = send(...args);
        // The response hands it on in the next tick.
        process.nextTick(() => this.#use(UNSEEN * (performance.now() - began)));
        return result;
      }) as never;
    }
  }

  #use(ms: number): void {
    this.counts.usedMs += ms;
    this.#share.use(ms);
  }

  #refuse({ request, forget }: Waiting): void {
    forget();
    this.counts.refused++;
    const message = 'too many requests without a valid token';
    const answer = { ...errorAnswer('TOO_MANY', message), retryAfter: RETRY_AFTER_S };
    refuse(request.socket, answer);
  }
}

/** Nobody’s requests keep his own login waiting. */
function laneOf({ socket, url }: IncomingMessage): string {
  const kind = url?.startsWith(LOGIN_PATH) ? 'login' : 'other';
  return `${clientKey(socket.remoteAddress ?? '')} ${kind}`;
}
