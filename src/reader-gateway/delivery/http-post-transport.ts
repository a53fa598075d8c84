/** httpPost endpoints: one POST per message over kept-alive connections. */
import { readFile } from 'node:fs/promises';
import type { Pool } from 'undici';
import { Backoff } from '../../shared/backoff.js';
import { errorMessage } from '../../shared/errors.js';
import type { HttpPostOptions } from '../api/connection.js';
import type { Transport, TransportState } from './transport.js';

const TIMEOUT_MS = 10_000;

export class HttpPostTransport implements Transport {
  // One at a time keeps the order of the events.
  readonly window = 1;
  readonly #options: HttpPostOptions;
  readonly #url: URL;
  readonly #backoff = new Backoff({ firstMs: 500, maxMs: 30_000 });
  readonly #headers: Record<string, string> = { 'content-type': 'application/json' };
  #onState: (state: TransportState) => void = () => {};
  #pool: Promise<Pool> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #connected = false;
  #closed = false;

  constructor(options: HttpPostOptions) {
    this.#options = options;
    this.#url = new URL(options.URL);
    const { authenticationType, authenticationOptions } = options.security ?? {};
    if (authenticationType === 'BASIC') {
      const { username = '', password = '' } = authenticationOptions ?? {};
      const text = Buffer.from(`${username}:${password}`).toString('base64');
      this.#headers.authorization = `Basic ${text}`;
    }
  }

  open(onState: (state: TransportState) => void): void {
    this.#onState = onState;
    onState({ ready: true, connected: false, error: '' });
  }

  async send(message: string): Promise<void> {
    try {
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
    } catch (error) {
      this.#failed(errorMessage(error));
      throw error;
    }
    this.#backoff.reset();
    if (this.#connected || this.#closed) return;
    this.#connected = true;
    this.#onState({ ready: true, connected: true, error: '' });
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    const pool = await this.#pool?.catch(() => undefined);
    await pool?.destroy();
  }

  #failed(error: string): void {
    if (this.#closed) return;
    this.#connected = false;
    this.#onState({ ready: false, connected: false, error });
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#onState({ ready: true, connected: false, error });
    }, this.#backoff.next());
  }

  async #createPool(): Promise<Pool> {
    const { Pool } = await import('undici');
    const security = this.#options.security ?? {};
    const { authenticationOptions: auth = {} } = security;
    const tlsClient = security.authenticationType === 'TLS-Client';
    const read = async (path: string | undefined) =>
      path === undefined || path === '' ? undefined : await readFile(path);
    const ca = await read(security.CACertificateFileLocation);
    const cert = tlsClient ? await read(auth.publicKeyFileLocation) : undefined;
    const key = tlsClient ? await read(auth.privateKeyFileLocation) : undefined;
    return new Pool(this.#url.origin, {
      connections: 1,
      headersTimeout: TIMEOUT_MS,
      bodyTimeout: TIMEOUT_MS,
      connect: {
        timeout: TIMEOUT_MS,
        rejectUnauthorized: security.verifyPeer ?? true,
        ...(security.verifyHost === false ? { checkServerIdentity: () => undefined } : {}),
        ...(ca ? { ca } : {}),
        ...(cert ? { cert } : {}),
        ...(key ? { key } : {}),
      },
    });
  }
}
