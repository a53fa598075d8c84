/** httpPost endpoints: one POST per message over a kept-alive connection. */
import type { Pool } from 'undici';
import { Backoff } from '../../../shared/backoff.js';
import type { Clock, Timer } from '../../../shared/clock.js';
import { errorMessage } from '../../../shared/errors.js';
import type { HttpPostOptions } from '../../api/connection.js';
import type { Certificates } from '../../tls/certificates.js';
import { httpAuthorization } from '../../tls/http-authorization.js';
import { httpTls } from '../../tls/http-tls.js';
import type { Transport, TransportHandlers } from '../transport.js';

const TIMEOUT_MS = 10_000;

export class HttpPostTransport implements Transport {
  readonly unbatched = 'event';
  /** A server may answer before it has read the message. */
  readonly isDoneWithMessages = false;
  readonly #options: HttpPostOptions;
  readonly #certificates: Certificates;
  readonly #clock: Clock;
  readonly #url: URL;
  readonly #backoff = new Backoff({ firstMs: 500, maxMs: 30_000 });
  readonly #headers: Record<string, string>;
  #handlers: TransportHandlers | undefined;
  #pool: Promise<Pool> | undefined;
  #timer: Timer | undefined;
  #sending = false;
  #connected = false;
  #closed = false;

  constructor(options: HttpPostOptions, certificates: Certificates, clock: Clock) {
    this.#clock = clock;
    this.#options = options;
    this.#certificates = certificates;
    this.#url = new URL(options.URL);
    this.#headers = { 'content-type': 'application/json', ...httpAuthorization(options) };
  }

  open(handlers: TransportHandlers): void {
    this.#handlers = handlers;
    handlers.onState({ ready: true, connected: false, error: '' });
  }

  /** One at a time keeps the order of the events. */
  hasRoom(): boolean {
    return !this.#sending;
  }

  send(message: Buffer, done: (error?: Error) => void): void {
    this.#sending = true;
    this.#post(message).then(
      () => {
        this.#sending = false;
        this.#succeeded();
        done();
      },
      (error: Error) => {
        this.#sending = false;
        this.#failed(errorMessage(error));
        done(error);
      },
    );
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#timer?.cancel();
    const pool = await this.#pool?.catch(() => undefined);
    await pool?.destroy();
  }

  async #post(message: Buffer): Promise<void> {
    // A pool that could not be made (a file that is missing) is made anew at the next try.
    this.#pool ??= this.#createPool();
    const pool = await this.#pool.catch((error) => {
      this.#pool = undefined;
      throw error;
    });
    const { statusCode, body } = await pool.request({
      method: 'POST',
      path: this.#url.pathname + this.#url.search,
      headers: this.#headers,
      body: message,
    });
    await body.dump();
    if (statusCode < 200 || statusCode > 299) throw new Error(`HTTP status ${statusCode}`);
  }

  #succeeded(): void {
    this.#backoff.reset();
    if (this.#connected || this.#closed) return;
    this.#connected = true;
    this.#handlers?.onState({ ready: true, connected: true, error: '' });
  }

  #failed(error: string): void {
    if (this.#closed) return;
    this.#connected = false;
    this.#handlers?.onState({ ready: false, connected: false, error });
    this.#timer?.cancel();
    this.#timer = this.#clock.setTimeout(() => {
      this.#handlers?.onState({ ready: true, connected: false, error });
    }, this.#backoff.next());
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
