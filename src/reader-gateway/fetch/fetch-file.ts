/** Fetches a file for an operation: certificates by https and ftps. */
import { setTimeout as sleep } from 'node:timers/promises';
import { invalid, SingulateError } from '../../shared/errors.js';
import type { Certificates } from '../tls/certificates.js';
import type { ClientTlsOptions } from '../tls/client-tls.js';
import { FetchProblem, type FetchSource, shownUrl } from './fetch-source.js';
import { fetchTls } from './fetch-tls.js';
import { ftpsFetch } from './ftps-fetch.js';
import { httpFetch } from './http-fetch.js';
import { LimitedSink } from './limited-sink.js';

/** @throws INVALID if the source or what it names is wrong, UNAVAILABLE if another time may do. */
export async function fetchFile(
  source: FetchSource,
  certificates: Certificates,
  maxBytes: number,
): Promise<Buffer> {
  const signal = AbortSignal.timeout(source.totalMs);
  try {
    const tls = await fetchTls(source.tls, certificates);
    return await withRetries(source, tls, maxBytes, signal);
  } catch (error) {
    throw toError(signal.aborted ? lateProblem(source) : error);
  }
}

async function withRetries(
  source: FetchSource,
  tls: ClientTlsOptions,
  maxBytes: number,
  signal: AbortSignal,
): Promise<Buffer> {
  const { retries = 0, minMs = 0, maxMs = 0 } = source.retry ?? {};
  for (let tries = 0; ; tries++) {
    try {
      const sink = new LimitedSink(maxBytes);
      const fetch = new URL(source.url).protocol === 'ftps:' ? ftpsFetch : httpFetch;
      await fetch(source, tls, sink, signal);
      return sink.content;
    } catch (error) {
      const passing = error instanceof FetchProblem && error.passing;
      if (!passing || tries >= retries || signal.aborted) throw error;
    }
    await sleep(minMs + Math.random() * Math.max(0, maxMs - minMs), undefined, { signal });
  }
}

function lateProblem({ url, totalMs }: FetchSource): FetchProblem {
  return new FetchProblem(
    'url',
    `${shownUrl(url)} has not sent the file within ${totalMs / 1000} s`,
    true,
  );
}

function toError(error: unknown): unknown {
  if (!(error instanceof FetchProblem)) return error;
  const { field, message, passing } = error;
  if (passing) return new SingulateError('UNAVAILABLE', `${field}: ${message}`);
  return invalid([{ field, message }]);
}
