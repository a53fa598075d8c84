/** Fetches a whole file over HTTP(S). */
import { pipeline } from 'node:stream/promises';
import { httpRefusal } from './fetch-fault.js';
import { requestHeaders } from './fetch-request.js';
import type { FetchTry } from './fetch-source.js';
import { contentLength } from './http-answer.js';
import { askHttp } from './http-request.js';
import { tooLarge } from './sinks.js';

export async function httpFetch({
  source,
  tls,
  sink,
  maxBytes,
  signal,
  reach,
}: FetchTry): Promise<void> {
  const { url, username, password, headers, connectMs, readMs, followsRedirects = true } = source;
  const authenticationType = username === undefined ? 'NONE' : 'BASIC';
  const options = { username, password };
  const secretHeaders = requestHeaders({ authenticationType, options, headers });
  const question = { url, secretHeaders, tls, connectMs, readMs, followsRedirects, signal, reach };
  await askHttp(question, async ({ statusCode, headers: answered, body, where }) => {
    if (statusCode === 200) {
      if ((contentLength(answered) ?? 0) > maxBytes) throw tooLarge(maxBytes);
      await pipeline(body, sink);
      return;
    }
    throw httpRefusal({ statusCode, headers: answered, where });
  });
}
