/** Fetches a whole file over HTTP(S). */
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ClientTlsOptions } from '../tls/client-tls.js';
import { requestHeaders } from './fetch-request.js';
import { FetchProblem, type FetchSource } from './fetch-source.js';
import { contentLength } from './http-answer.js';
import { askHttp } from './http-request.js';
import { tooLarge } from './sinks.js';

export async function httpFetch(
  source: FetchSource,
  tls: ClientTlsOptions,
  sink: Writable,
  maxBytes: number,
  signal: AbortSignal,
): Promise<void> {
  const { url, username, password, headers, connectMs, readMs, followsRedirects = true } = source;
  const authenticationType = username === undefined ? 'NONE' : 'BASIC';
  const options = { username, password };
  const secretHeaders = requestHeaders({ authenticationType, options, headers });
  const question = { url, secretHeaders, tls, connectMs, readMs, followsRedirects, signal };
  await askHttp(question, async ({ statusCode, headers: answered, body, where }) => {
    if (statusCode === 200) {
      if ((contentLength(answered) ?? 0) > maxBytes) throw tooLarge(maxBytes);
      await pipeline(body, sink);
      return;
    }
    if (statusCode === 401 || statusCode === 403) {
      throw new FetchProblem('options', `${where} does not let us in (HTTP status ${statusCode})`);
    }
    const passing = statusCode >= 500 || statusCode === 408 || statusCode === 429;
    throw new FetchProblem('url', `${where} answers with HTTP status ${statusCode}`, passing);
  });
}
