/** The broker that comes with the reader, and the login of its services there. */
import { readFile } from 'node:fs/promises';
import { LOCAL_BROKER_USER, localBrokerPasswordFile } from '../../shared/local-broker-login.js';
import type { UrlLogin } from './url-login.js';

export class LocalBroker {
  readonly #url: URL;
  readonly #stateDir: string;

  /** @param url `mqtt://127.0.0.1:1883` */
  constructor(url: URL, stateDir: string) {
    this.#url = url;
    this.#stateDir = stateDir;
  }

  /**
   * For connections that say nothing of a login.
   * @returns undefined for any other broker (nobody else is told the password), and where no password
   *   is kept: that broker takes everybody.
   */
  async login(host: string, port: number): Promise<UrlLogin | undefined> {
    const { hostname, port: own } = this.#url;
    if (host !== hostname.replace(/^\[|\]$/g, '') || port !== Number(own || 1883)) return undefined;
    const text = await readFile(localBrokerPasswordFile(this.#stateDir), 'utf8').catch(() => '');
    const password = text.trim();
    return password === '' ? undefined : { username: LOCAL_BROKER_USER, password };
  }
}
