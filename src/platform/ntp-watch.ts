/**
 * Watches how well the NTP server answers and how far off the clock is, as ntpd tells it. It only
 * asks: the clock is set by the time service of the machine.
 */
import { askNtpServer } from './sntp.js';

/** Polls without an answer after which the server counts as away. */
const MANY_POLLS = 8;

export interface NtpFigures {
  /** Milliseconds, of the last good answer; 0 with a reach of 0: it is not known, or not any more. */
  offset: number;
  /** The last eight polls as bits, the newest lowest, written as octal digits: 377 = all good. */
  reach: number;
}

export interface NtpWatchOptions {
  pollMs: number;
  timeoutMs: number;
  port: number;
}

const DEFAULTS: NtpWatchOptions = { pollMs: 64_000, timeoutMs: 4000, port: 123 };

export class NtpWatch {
  readonly #options: NtpWatchOptions;
  #server = '';
  #register = 0;
  #polls = 0;
  #offset = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: Partial<NtpWatchOptions> = {}) {
    this.#options = { ...DEFAULTS, ...options };
  }

  /** @param server '' = none. What was known of another one is forgotten. */
  watch(server: string): void {
    if (server === this.#server) return;
    this.stop();
    this.#server = server;
    this.#register = 0;
    this.#polls = 0;
    this.#offset = 0;
    if (server !== '') void this.#poll(server);
  }

  read(): NtpFigures {
    return {
      offset: this.#register === 0 ? 0 : Math.round(this.#offset * 1000) / 1000,
      reach: Number(this.#register.toString(8)),
    };
  }

  /** False once none of the last eight polls was answered; undefined = there is no server. */
  get answers(): boolean | undefined {
    if (this.#server === '') return undefined;
    return this.#register !== 0 || this.#polls < MANY_POLLS;
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#server = '';
  }

  async #poll(server: string): Promise<void> {
    const { port, timeoutMs, pollMs } = this.#options;
    const offset = await askNtpServer(server, port, timeoutMs).catch(() => undefined);
    // Another server was set meanwhile.
    if (server !== this.#server) return;
    this.#polls++;
    this.#register = ((this.#register << 1) | (offset === undefined ? 0 : 1)) & 0xff;
    if (offset !== undefined) this.#offset = offset;
    this.#timer = setTimeout(() => void this.#poll(server), pollMs);
    this.#timer.unref();
  }
}
