/**
 * httpPost endpoints: one POST per message over a kept-alive connection. A message that the server
 * refuses is dropped after some tries, so that it does not hold up those after it; everything else is
 * tried for ever, unless the connection says how often.
 */
import type { Pool } from 'undici';
import { Backoff } from '../../../shared/backoff.js';
import type { Clock, Timer } from '../../../shared/clock.js';
import { errorMessage } from '../../../shared/errors.js';
import type { HttpPostOptions } from '../../api/connection.js';
import type { Certificates } from '../../tls/certificates.js';
import { httpAuthorization } from '../../tls/http-authorization.js';
import { httpTls } from '../../tls/http-tls.js';
import { MessageRefused, type Transport, type TransportHandlers } from '../transport.js';
import { TransportStates } from '../transport-states.js';
import { NotTaken } from './http-refusal.js';

const TIMEOUT_MS = 10_000;
const DEFAULT_DELAY_S = 0.5;
const DEFAULT_LONGEST_DELAY_S = 30;
const SHORTEST_DELAY_MS = 100;
/** Slowly: the first try after an outage comes within a quarter of the time that it took. */
const DELAY_FACTOR = 1.25;
/** Of a message that the server refuses: a proxy or a restart may be the reason of the first ones. */
const REFUSED_TRIES = 3;

interface Failed {
  message: Buffer;
  tries: number;
  refusals: number;
}

export class HttpPostTransport implements Transport {
  readonly unbatched = 'event';
  /** A server may answer before it has read the message. */
  readonly isDoneWithMessages = false;
  readonly #options: HttpPostOptions;
  readonly #certificates: Certificates;
  readonly #clock: Clock;
  readonly #url: URL;
  readonly #firstMs: number;
  readonly #longestMs: number;
  readonly #backoff: Backoff;
  readonly #headers: Record<string, string>;
  readonly #states = new TransportStates();
  /** The last message that failed, how often, and how often the server has refused it. */
  #failed: Failed | undefined;
  #pool: Promise<Pool> | undefined;
  #timer: Timer | undefined;
  #sending = false;

  constructor(options: HttpPostOptions, certificates: Certificates, clock: Clock) {
    this.#clock = clock;
    this.#options = options;
    this.#certificates = certificates;
    this.#url = new URL(options.URL);
    const { reconnectDelay = DEFAULT_DELAY_S, reconnectDelayMax } = options.additional ?? {};
    this.#firstMs = Math.max(SHORTEST_DELAY_MS, reconnectDelay * 1000);
    const longestMs = (reconnectDelayMax || DEFAULT_LONGEST_DELAY_S) * 1000;
    this.#longestMs = Math.max(this.#firstMs, longestMs);
    const times = { firstMs: this.#firstMs, maxMs: this.#longestMs };
    this.#backoff = new Backoff({ ...times, factor: DELAY_FACTOR });
    this.#headers = { 'content-type': 'application/json', ...httpAuthorization(options) };
  }

  open(handlers: TransportHandlers): void {
    this.#states.open(handlers);
    this.#states.to('trying');
  }

  /** One at a time keeps the order of the events. */
  hasRoom(): boolean {
    return this.#states.takes && !this.#sending;
  }

  send(message: Buffer, done: (error?: Error) => void): void {
    this.#sending = true;
    this.#post(message).then(
      () => {
        this.#sending = false;
        this.#backoff.reset();
        this.#states.to('up');
        done();
      },
      (error: Error) => {
        this.#sending = false;
        done(this.#notTaken(message, error));
      },
    );
  }

  async close(): Promise<void> {
    this.#states.to('closing');
    this.#timer?.cancel();
    const pool = await this.#pool?.catch(() => undefined);
    await pool?.destroy();
  }

  async #post(message: Buffer): Promise<void> {
    // A pool that could not be made (a file that is missing) is made again at the next try.
    this.#pool ??= this.#createPool();
    const pool = await this.#pool.catch((error) => {
      this.#pool = undefined;
      throw error;
    });
    const { statusCode, headers, body } = await pool.request({
      method: 'POST',
      path: this.#url.pathname + this.#url.search,
      headers: this.#headers,
      body: message,
    });
    await body.dump();
    if (statusCode < 200 || statusCode > 299) {
      throw new NotTaken(statusCode, headers, this.#clock.now());
    }
  }

  /** @returns what is reported of the message. */
  #notTaken(message: Buffer, error: Error): Error {
    const isRefused = error instanceof NotTaken && error.isAboutMessage;
    const before = this.#failed?.message === message ? this.#failed : undefined;
    const tries = (before?.tries ?? 0) + 1;
    const refusals = (before?.refusals ?? 0) + (isRefused ? 1 : 0);
    const isLast = this.#isLast(tries, refusals);
    this.#failed = isLast ? undefined : { message, tries, refusals };
    // The server is there, and may well take the next message: that one does not wait.
    if (!(isRefused && isLast)) this.#wait(error);
    return isLast ? new MessageRefused(`${errorMessage(error)} after ${tries} tries`) : error;
  }

  #isLast(tries: number, refusals: number): boolean {
    const { maxTries } = this.#options.additional ?? {};
    if (maxTries === undefined) return refusals >= REFUSED_TRIES;
    return maxTries > 0 && tries >= maxTries;
  }

  #wait(error: Error): void {
    const reason = errorMessage(error);
    const asked = error instanceof NotTaken ? error.retryAfterMs : undefined;
    const ownMs = this.#backoff.next();
    const waitMs =
      asked === undefined ? ownMs : Math.min(this.#longestMs, Math.max(this.#firstMs, asked));
    this.#states.to('down', reason);
    this.#timer?.cancel();
    if (this.#states.phase === 'closing') return;
    this.#timer = this.#clock.setTimeout(() => this.#states.to('trying', reason), waitMs);
  }

  async #createPool(): Promise<Pool> {
    const [{ Pool }, tls] = await Promise.all([
      import('undici'),
      httpTls(this.#options, this.#certificates),
    ]);
    return new Pool(this.#url.origin, {
      connections: 1,
      headersTimeout: TIMEOUT_MS,
      bodyTimeout: TIMEOUT_MS,
      connect: { timeout: TIMEOUT_MS, ...tls },
    });
  }
}
