/** Warns of certificates that expire soon, in the log and elsewhere. */
import type { Clock, Timer } from '../../shared/clock.js';
import type { Logger } from '../../shared/log.js';
import type { CertificateStore } from './certificate-store.js';

export const WARN_DAYS = 30;

export type ExpiryListener = (
  certificate: ReturnType<CertificateStore['expiring']>[number],
  message: string,
) => void;

const EVERY_MS = 24 * 3600 * 1000;
/** The start has better things to do. */
const FIRST_MS = 60_000;

export class ExpiryWatch {
  readonly #store: CertificateStore;
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #onExpiring: ExpiryListener;
  #timer: Timer;

  constructor(
    store: CertificateStore,
    clock: Clock,
    log: Logger,
    onExpiring: ExpiryListener = () => {},
  ) {
    this.#store = store;
    this.#clock = clock;
    this.#log = log;
    this.#onExpiring = onExpiring;
    this.#timer = clock.setTimeout(() => this.#check(), FIRST_MS);
  }

  close(): void {
    this.#timer.cancel();
  }

  #check(): void {
    for (const certificate of this.#store.expiring(WARN_DAYS, this.#clock.now())) {
      const { type, name, end, daysLeft } = certificate;
      const when = daysLeft < 0 ? 'has expired' : `expires in ${daysLeft} days`;
      this.#log.warn({ type, name, end: end.toISOString() }, `the certificate ${when}`);
      this.#onExpiring(certificate, `the certificate ${name} (${type}) ${when}`);
    }
    this.#timer = this.#clock.setTimeout(() => this.#check(), EVERY_MS);
  }
}
