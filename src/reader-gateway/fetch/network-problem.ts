/** Errors of sockets, TLS and names, in words. */
import { errorMessage, isSingulateError } from '../../shared/errors.js';
import { FetchProblem } from './fetch-source.js';
import { LocalAddressRefused, type Reach } from './reach.js';

const PASSING: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'refuses the connection',
  ECONNRESET: 'broke off the connection',
  EPIPE: 'broke off the connection',
  EHOSTUNREACH: 'cannot be reached',
  ENETUNREACH: 'cannot be reached',
  ETIMEDOUT: 'does not answer',
  EAI_AGAIN: 'has a name that DNS does not find now',
  ENOTFOUND: 'has a name that DNS does not know',
};

const NAMES = ['EAI_AGAIN', 'ENOTFOUND'];

/**
 * @param server As messages name it.
 * @param reach Where it is bounded, a client is not told why there is no connection.
 * @returns A FetchProblem, or the error itself if it says nothing of the server.
 */
export function networkProblem(error: unknown, server: string, reach: Reach): unknown {
  if (isNotOfServer(error)) return error;
  if (error instanceof LocalAddressRefused) {
    return new FetchProblem('url', `${server} ${error.message}`);
  }
  // What befell several addresses comes wrapped.
  const inner = error instanceof AggregateError ? error.errors[0] : error;
  const code = String((inner as NodeJS.ErrnoException)?.code ?? '');
  const words = PASSING[code];
  const isTold = !reach.refusesLocal || NAMES.includes(code);
  if (words !== undefined && isTold)
    return new FetchProblem('url', `${server} ${words} (${code})`, true);
  if (/CERT|SIGNATURE|ISSUER/.test(code)) {
    return new FetchProblem(
      'url',
      `${server} is not trusted: ${errorMessage(inner)} (${code}); see verifyPeer, verifyHost and CACertificateFileContent`,
    );
  }
  if (!isTold)
    return new FetchProblem('url', `${server} gives no answer that is HTTP or FTPS`, true);
  return new FetchProblem('url', `${server}: ${errorMessage(inner) || code}`, true);
}

/** Errors that were explained already, and those of the reader's own disk. */
export function isNotOfServer(error: unknown): boolean {
  if (error instanceof FetchProblem || isSingulateError(error)) return true;
  const { code = '' } = error as NodeJS.ErrnoException;
  return ['ENOSPC', 'EDQUOT', 'EROFS', 'EIO'].includes(code);
}
