/** Fetches over HTTPS. Redirects are followed, but no secret goes to another server. */
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Dispatcher } from 'undici';
import type { ClientTlsOptions } from '../tls/client-tls.js';
import { FetchProblem, type FetchSource, shownUrl } from './fetch-source.js';
import { networkProblem } from './network-problem.js';

const MAX_REDIRECTS = 5;

export async function httpFetch(
  source: FetchSource,
  tls: ClientTlsOptions,
  sink: Writable,
  signal: AbortSignal,
): Promise<void> {
  const first = new URL(source.url);
  let url = first;
  for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
    const next = await fetchOne(url, source, tls, url.origin === first.origin, sink, signal);
    if (next === undefined) return;
    url = next;
  }
  throw new FetchProblem(
    'url',
    `${shownUrl(source.url)} redirects more than ${MAX_REDIRECTS} times`,
  );
}

/** @returns Where to go instead; undefined = done. */
async function fetchOne(
  url: URL,
  source: FetchSource,
  tls: ClientTlsOptions,
  isFirst: boolean,
  sink: Writable,
  signal: AbortSignal,
): Promise<URL | undefined> {
  const { Agent } = await import('undici');
  const { cert: _cert, key: _key, ...anonymous } = tls;
  const agent = new Agent({
    connect: { timeout: source.connectMs, ...(isFirst ? tls : anonymous) },
    headersTimeout: source.readMs,
    bodyTimeout: source.readMs,
    pipelining: 0,
  });
  try {
    const response = await agent.request({
      origin: url.origin,
      path: url.pathname + url.search,
      method: 'GET',
      headers: isFirst ? headersOf(source) : {},
      signal,
    });
    return await take(response, url, sink);
  } catch (error) {
    throw networkProblem(error, shownUrl(url.href));
  } finally {
    // Also when the rest of an answer is not wanted.
    await agent.destroy();
  }
}

async function take(
  { statusCode, headers, body }: Dispatcher.ResponseData,
  url: URL,
  sink: Writable,
): Promise<URL | undefined> {
  const where = shownUrl(url.href);
  if (statusCode === 200) {
    await pipeline(body, sink);
    return undefined;
  }
  body.on('error', () => {});
  if ([301, 302, 303, 307, 308].includes(statusCode))
    return redirectOf(headers.location, url, where);
  if (statusCode === 401 || statusCode === 403) {
    throw new FetchProblem('options', `${where} does not let us in (HTTP status ${statusCode})`);
  }
  const passing = statusCode >= 500 || statusCode === 408 || statusCode === 429;
  throw new FetchProblem('url', `${where} answers with HTTP status ${statusCode}`, passing);
}

function redirectOf(location: string | string[] | undefined, from: URL, where: string): URL {
  const text = [location].flat()[0] ?? '';
  if (!URL.canParse(text, from)) {
    throw new FetchProblem('url', `${where} redirects to nowhere`);
  }
  const to = new URL(text, from);
  if (to.protocol !== from.protocol) {
    throw new FetchProblem('url', `${where} redirects to ${to.protocol}, which is not allowed`);
  }
  return to;
}

function headersOf({ username, password = '', headers = {} }: FetchSource): Record<string, string> {
  if (username === undefined) return headers;
  const login = Buffer.from(`${username}:${password}`).toString('base64');
  // One header, whatever the case that the map writes it in; the map wins.
  const given = Object.keys(headers).some((name) => name.toLowerCase() === 'authorization');
  return given ? headers : { ...headers, authorization: `Basic ${login}` };
}
