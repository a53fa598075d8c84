/** Fetches a file for an operation, over https, http or ftps: whole, bounded, tried again. */
import type { Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { SingulateError } from '../../shared/errors.js';
import type { Certificates } from '../tls/certificates.js';
import { fetchFault } from './fetch-fault.js';
import { FetchProblem, type FetchSource, shownUrl } from './fetch-source.js';
import { fetchTls } from './fetch-tls.js';
import { ftpsFetch } from './ftps-fetch.js';
import { httpFetch } from './http-fetch.js';
import { EVERYWHERE, type Reach } from './reach.js';
import { Retries } from './retries.js';
import { MemorySink } from './sinks.js';

/** @throws INVALID if the source or what it names is wrong, UNAVAILABLE if another time may do. */
export async function fetchFile(
  source: FetchSource,
  certificates: Certificates,
  maxBytes: number,
  reach: Reach,
): Promise<Buffer> {
  try {
    const sinkOf = () => new MemorySink(maxBytes);
    const sink = await fetchInto(source, certificates, sinkOf, maxBytes, { reach });
    return sink.content;
  } catch (error) {
    throw error instanceof FetchProblem ? fetchFault(error) : error;
  }
}

export interface FetchHooks {
  /** Ends it early. */
  stop?: AbortSignal;
  /** It is tried again. */
  onRetry?(problem: FetchProblem): void;
  /** Left out: everywhere. */
  reach?: Reach;
}

/**
 * @param sinkOf For each try.
 * @returns The sink of the try that succeeded.
 * @throws FetchProblem if the server does not give the file, INVALID for what else is wrong.
 */
export async function fetchInto<S extends Writable>(
  source: FetchSource,
  certificates: Certificates,
  sinkOf: () => S,
  maxBytes: number,
  { stop, onRetry, reach = EVERYWHERE }: FetchHooks = {},
): Promise<S> {
  const { url, totalMs, retry } = source;
  const late = AbortSignal.timeout(totalMs);
  const signal = stop === undefined ? late : AbortSignal.any([late, stop]);
  try {
    const tls = await fetchTls(source.tls, certificates);
    const fetch = new URL(url).protocol === 'ftps:' ? ftpsFetch : httpFetch;
    const retries = new Retries(retry ?? { retries: 0, minMs: 0, maxMs: 0 });
    for (;;) {
      const sink = sinkOf();
      // It may fail before anything is written to it: who writes then is told by its state.
      sink.on('error', () => {});
      try {
        await fetch({ source, tls, sink, maxBytes, signal, reach });
        return sink;
      } catch (error) {
        await discard(sink);
        if (!(error instanceof FetchProblem) || !error.passing || signal.aborted) throw error;
        const waitMs = retries.next(error.askedMs);
        if (waitMs === undefined) throw error;
        onRetry?.(error);
        await sleep(waitMs, undefined, { signal });
      }
    }
  } catch (error) {
    if (stop?.aborted) {
      throw new SingulateError('UNAVAILABLE', 'the reader is stopping; the file did not come');
    }
    if (!late.aborted) throw error;
    const message = `${shownUrl(url)} has not sent the file within ${totalMs / 1000} s`;
    throw new FetchProblem('url', message, true);
  }
}

/** Waits for its end: it may still be opening a file in a folder that goes after the failure. */
async function discard(sink: Writable): Promise<void> {
  if (sink.closed) return;
  const closed = new Promise((resolve) => sink.once('close', resolve));
  sink.destroy();
  await closed;
}
