/** Fetches a file from an HTTP(S) server into a file of the reader: bounded, tried again, no redirects. */
import { type FileHandle, open, rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { createSecureContext } from 'node:tls';
import { errorMessage, invalid, SingulateError, type Violation } from '../../shared/errors.js';
import type { Logger } from '../../shared/log.js';
import type { Download } from '../api/download.js';
import { joinPath } from '../api/validate.js';
import type { Certificates } from '../tls/certificates.js';
import { type ClientTlsOptions, clientTlsOptions } from '../tls/client-tls.js';

export interface DownloadLimits {
  maxBytes: number;
  /** All tries together. */
  totalMs: number;
}

export interface DownloadNeeds {
  certificates: Certificates;
  log: Logger;
  /** Ends it early. */
  signal: AbortSignal;
}

const CONNECT_S = 10;
const READ_S = 30;
const WAIT_S = { min: 1, max: 5 };
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;
/** The client sets these itself. */
const OWN_HEADERS = ['host', 'content-length', 'transfer-encoding', 'connection', 'upgrade'];

/** A try that failed in a way that another may not. */
class TryAgain extends Error {}

/**
 * @param url Of the file: `fileUrl`.
 * @throws INVALID for what another request would have to say, UNAVAILABLE if the server does not give it.
 */
export async function download(
  request: Download,
  url: URL,
  path: string,
  limits: DownloadLimits,
  { certificates, log, signal }: DownloadNeeds,
): Promise<void> {
  const headers = requestHeaders(request);
  const tls = await tlsOptions(request, certificates);
  const { retries = 0, wait = {} } = request.retry?.policy ?? {};
  const end = AbortSignal.any([AbortSignal.timeout(limits.totalMs), signal]);
  for (let left = retries; ; left--) {
    try {
      await fetchOnce(request, url, path, headers, tls, limits.maxBytes, end);
      return;
    } catch (error) {
      await rm(path, { force: true });
      if (error instanceof SingulateError) throw error;
      const reason = `${url.host}: ${errorMessage(error)}`;
      if (signal.aborted) {
        throw new SingulateError('UNAVAILABLE', 'the reader is stopping; the file did not come');
      }
      if (end.aborted) {
        const within = `within ${limits.totalMs / 1000} s`;
        throw new SingulateError('UNAVAILABLE', `url: the file did not come ${within}: ${reason}`);
      }
      if (left <= 0 || !(error instanceof TryAgain)) {
        throw new SingulateError('UNAVAILABLE', `url: the file cannot be fetched from ${reason}`);
      }
      log.info({ host: url.host, left, reason: errorMessage(error) }, 'fetching is tried again');
      await sleep(waitMs(wait), undefined, { signal: end }).catch(() => {});
    }
  }
}

/**
 * The URL of a file on the server; one that already ends with the file is taken as it is.
 * @throws INVALID
 */
export function fileUrl(text: string, filename: string): URL {
  const refuse = (message: string) => invalid([{ field: 'url', message }]);
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !['http:', 'https:'].includes(url.protocol)) {
    // Not shown: what is no URL may hold a password as well.
    throw refuse('is not an http(s) URL');
  }
  if (url.username !== '' || url.password !== '') {
    throw refuse('must not hold credentials; they go to options.username and options.password');
  }
  url.hash = '';
  const encoded = encodeURIComponent(filename);
  const last = url.pathname.split('/').at(-1);
  if (last !== encoded && last !== filename) {
    url.pathname = `${url.pathname.replace(/\/$/, '')}/${encoded}`;
  }
  return url;
}

function requestHeaders(request: Download): Record<string, string> {
  const violations: Violation[] = [];
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(request.headers ?? {})) {
    const field = joinPath('headers', name);
    const key = name.toLowerCase();
    // Values are secrets as a rule: no message shows one.
    if (!HEADER_NAME.test(name)) violations.push({ field, message: 'is not a name of a header' });
    else if (OWN_HEADERS.includes(key)) violations.push({ field, message: 'cannot be set' });
    else if (!HEADER_VALUE.test(value)) {
      violations.push({ field, message: 'has characters that a header cannot have' });
    }
    headers[key] = value;
  }
  if (request.authenticationType === 'BASIC') {
    const { username, password } = request.options ?? {};
    if (username === undefined || username === '') {
      violations.push({ field: 'options.username', message: 'is required with BASIC' });
    }
    if (password === undefined) {
      violations.push({ field: 'options.password', message: 'is required with BASIC' });
    }
    if (headers.authorization !== undefined) {
      violations.push({
        field: 'headers.Authorization',
        message: 'is allowed with authenticationType NONE only: BASIC sends its own',
      });
    }
    const text = Buffer.from(`${username}:${password}`).toString('base64');
    headers.authorization = `Basic ${text}`;
  }
  const { min = WAIT_S.min, max = Math.max(WAIT_S.max, min) } = request.retry?.policy?.wait ?? {};
  if (max < min) {
    violations.push({ field: 'retry.policy.wait.max', message: `${max} is below min: ${min}` });
  }
  if (violations.length > 0) throw invalid(violations);
  return headers;
}

async function tlsOptions(
  request: Download,
  certificates: Certificates,
): Promise<ClientTlsOptions> {
  const content = request.CACertificateFileContent || undefined;
  const location = content === undefined ? request.CACertificateFileLocation : undefined;
  let options: ClientTlsOptions;
  try {
    options = await clientTlsOptions(
      {
        certificates: { CACertificateFileLocation: location },
        verifyPeer: request.verifyPeer,
        verifyHost: request.verifyHost,
      },
      certificates,
    );
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? errorMessage(error);
    const message = `cannot be read: ${code}`;
    throw invalid([{ field: 'CACertificateFileLocation', message }]);
  }
  if (content !== undefined) options.ca = Buffer.from(content);
  if (options.ca !== undefined) {
    const field = content === undefined ? 'CACertificateFileLocation' : 'CACertificateFileContent';
    if (!options.ca.includes('-----BEGIN CERTIFICATE-----')) {
      throw invalid([{ field, message: 'is not a certificate in PEM' }]);
    }
    try {
      createSecureContext({ ca: options.ca });
    } catch {
      throw invalid([{ field, message: 'is not a certificate in PEM' }]);
    }
  }
  return options;
}

async function fetchOnce(
  { timeouts = {} }: Download,
  url: URL,
  path: string,
  headers: Record<string, string>,
  tls: ClientTlsOptions,
  maxBytes: number,
  end: AbortSignal,
): Promise<void> {
  const { Client } = await import('undici');
  const readMs = 1000 * (timeouts.read || READ_S);
  const client = new Client(url.origin, {
    headersTimeout: readMs,
    bodyTimeout: readMs,
    connect: { timeout: 1000 * (timeouts.connection || CONNECT_S), ...tls },
  });
  try {
    const {
      statusCode,
      headers: answered,
      body,
    } = await client.request({
      method: 'GET',
      path: url.pathname + url.search,
      headers,
      signal: end,
    });
    if (statusCode !== 200) {
      await body.dump().catch(() => {});
      throw statusError(statusCode);
    }
    const announced = Number(answered['content-length'] ?? 0);
    if (announced > maxBytes) throw tooLarge(maxBytes);
    const file = await open(path, 'wx', 0o600);
    try {
      await write(body, file, maxBytes);
    } finally {
      await file.close();
    }
  } catch (error) {
    if (error instanceof SingulateError || !isOfNetwork(error)) throw error;
    throw new TryAgain(errorMessage(error));
  } finally {
    await client.destroy();
  }
}

async function write(
  body: AsyncIterable<Uint8Array>,
  file: FileHandle,
  maxBytes: number,
): Promise<void> {
  let written = 0;
  for await (const chunk of body) {
    written += chunk.length;
    if (written > maxBytes) throw tooLarge(maxBytes);
    await file.writeFile(chunk);
  }
}

/** A full disk or a certificate that is not trusted stays what it is. */
function isOfNetwork(error: unknown): boolean {
  const { code = '' } = error as NodeJS.ErrnoException;
  return !['ENOSPC', 'EDQUOT', 'EROFS', 'EIO', 'EACCES'].includes(code) && !/CERT/.test(code);
}

function statusError(status: number): Error {
  if (status >= 500 || status === 408 || status === 429)
    return new TryAgain(`HTTP status ${status}`);
  if (status >= 300 && status < 400) {
    return new Error(`HTTP status ${status}: redirects are not followed, give the last address`);
  }
  return new Error(`HTTP status ${status}`);
}

function tooLarge(maxBytes: number): SingulateError {
  return invalid([{ field: 'url', message: `the file is above ${maxBytes} bytes` }]);
}

function waitMs({
  min = WAIT_S.min,
  max = Math.max(WAIT_S.max, min),
}: {
  min?: number | undefined;
  max?: number | undefined;
}): number {
  return 1000 * (min + Math.random() * (max - min));
}
