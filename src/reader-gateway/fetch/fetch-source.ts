/** Where a file is fetched from, and everything that may go wrong on the way. */
import type { Writable } from 'node:stream';
import type { CertificateChoice } from '../tls/certificates.js';
import type { ClientTlsOptions } from '../tls/client-tls.js';
import type { Reach } from './reach.js';
import type { RetryPolicy } from './retries.js';

/** Who the server must be, and who we are. */
export interface FetchTls extends CertificateChoice {
  CACertificateFileContent?: string | undefined;
  publicKeyFileContent?: string | undefined;
  privateKeyFileContent?: string | undefined;
  verifyPeer?: boolean | undefined;
  verifyHost?: boolean | undefined;
}

/** Can be stored as it is; has secrets. */
export interface FetchSource {
  /** Without user name and password. */
  url: string;
  username?: string | undefined;
  password?: string | undefined;
  headers?: Record<string, string> | undefined;
  tls: FetchTls;
  connectMs: number;
  /** Without a byte. */
  readMs: number;
  /** For all tries together. */
  totalMs: number;
  retry?: RetryPolicy | undefined;
  /** Left out: true. */
  followsRedirects?: boolean | undefined;
}

/** One try of a fetch, whatever its protocol. */
export interface FetchTry {
  source: FetchSource;
  tls: ClientTlsOptions;
  sink: Writable;
  maxBytes: number;
  signal: AbortSignal;
  reach: Reach;
}

/** Why a file could not be fetched, for the one who gave the source. */
export class FetchProblem extends Error {
  /**
   * @param field Of the request.
   * @param passing Another try may do.
   * @param askedMs How long the server asks to wait before it.
   */
  constructor(
    readonly field: string,
    message: string,
    readonly passing = false,
    readonly askedMs = 0,
  ) {
    super(message);
  }
}

/** For messages and logs: what is after the question mark may be a secret. */
export function shownUrl(url: string): string {
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${pathname}`;
}
