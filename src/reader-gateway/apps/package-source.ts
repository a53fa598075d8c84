/** Where the package of an application comes from. */
import { invalid } from '../../shared/errors.js';
import { PACKAGE_LIMITS, type UserAppInstall } from '../api/user-apps.js';
import {
  headerProblems,
  loginProblems,
  urlProblems,
  waitProblems,
} from '../fetch/fetch-request.js';
import type { FetchSource } from '../fetch/fetch-source.js';
import { retryPolicy } from '../fetch/retries.js';

/** All tries together. */
const TOTAL_MS = 15 * 60_000;

/** @throws INVALID naming all that is wrong. */
export function packageSource(request: UserAppInstall): FetchSource {
  const problems = [
    ...urlProblems(request.url),
    ...headerProblems(request),
    ...loginProblems(request),
    ...waitProblems(request, PACKAGE_LIMITS),
  ];
  if (problems.length > 0) throw invalid(problems);
  const { authenticationType, options = {}, headers, timeouts = {} } = request;
  const { verifyPeer, verifyHost, CACertificateFileContent, CACertificateFileLocation } = request;
  return {
    url: fileUrl(new URL(request.url), request.filename),
    ...(authenticationType === 'BASIC' ? options : {}),
    headers,
    tls: { verifyPeer, verifyHost, CACertificateFileContent, CACertificateFileLocation },
    connectMs: 1000 * (timeouts.connection || PACKAGE_LIMITS.timeouts.connection),
    readMs: 1000 * (timeouts.read || PACKAGE_LIMITS.timeouts.read),
    totalMs: TOTAL_MS,
    retry: retryPolicy(request, PACKAGE_LIMITS),
    followsRedirects: false,
  };
}

/** The URL of a file on the server; one that already ends with the file is taken as it is. */
function fileUrl(url: URL, filename: string): string {
  url.hash = '';
  const encoded = encodeURIComponent(filename);
  const last = url.pathname.split('/').at(-1);
  if (last !== encoded && last !== filename) {
    url.pathname = `${url.pathname.replace(/\/$/, '')}/${encoded}`;
  }
  return url.href;
}
