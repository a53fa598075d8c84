/** Where a file is fetched from, and everything that may go wrong on the way. */
import type { CertificateChoice } from '../tls/certificates.js';

/** Who the server must be, and who we are. */
export interface FetchTls extends CertificateChoice {
  CACertificateFileContent?: string | undefined;
  publicKeyFileContent?: string | undefined;
  privateKeyFileContent?: string | undefined;
  verifyPeer?: boolean | undefined;
  verifyHost?: boolean | undefined;
}

export interface FetchRetry {
  /** After the first try. */
  retries: number;
  minMs: number;
  maxMs: number;
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
  retry?: FetchRetry | undefined;
}

/** Why a file could not be fetched, for the one who gave the source. */
export class FetchProblem extends Error {
  /**
   * @param field Of the request.
   * @param passing Another try may do.
   */
  constructor(
    readonly field: string,
    message: string,
    readonly passing = false,
  ) {
    super(message);
  }
}

/** For messages and logs: what is behind the question mark may be a secret. */
export function shownUrl(url: string): string {
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${pathname}`;
}
