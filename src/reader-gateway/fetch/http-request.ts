/** One question over HTTP(S). Redirects are followed, but no secret goes to another server. */
import type { Dispatcher } from 'undici';
import type { ClientTlsOptions } from '../tls/client-tls.js';
import { FetchProblem, shownUrl } from './fetch-source.js';
import { locationOf } from './http-answer.js';
import { networkProblem } from './network-problem.js';

const MAX_REDIRECTS = 5;
const REDIRECTS = [301, 302, 303, 307, 308];

export interface HttpQuestion {
  url: string;
  /** For the server of the url alone; so are certificate and key of tls. */
  secretHeaders: Record<string, string>;
  /** For every server on the way. */
  headers?: Record<string, string>;
  tls: ClientTlsOptions;
  connectMs: number;
  /** Without a byte. */
  readMs: number;
  followsRedirects: boolean;
  signal: AbortSignal;
}

export interface HttpAnswer extends Dispatcher.ResponseData {
  /** Of the server that answered, for messages. */
  where: string;
}

/**
 * @param take The answer is gone when it returns.
 * @throws FetchProblem; all else is of `take`.
 */
export async function askHttp<T>(
  question: HttpQuestion,
  take: (answer: HttpAnswer) => Promise<T>,
): Promise<T> {
  const first = new URL(question.url);
  let url = first;
  for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
    const result = await askOne(url, question, url.origin === first.origin, take);
    if (!(result instanceof URL)) return result.taken;
    url = result;
  }
  throw new FetchProblem(
    'url',
    `${shownUrl(question.url)} redirects more than ${MAX_REDIRECTS} times`,
  );
}

/** @returns A URL: where to go instead. */
async function askOne<T>(
  url: URL,
  { secretHeaders, headers = {}, tls, connectMs, readMs, followsRedirects, signal }: HttpQuestion,
  isFirst: boolean,
  take: (answer: HttpAnswer) => Promise<T>,
): Promise<URL | { taken: T }> {
  const { Agent } = await import('undici');
  const { cert: _cert, key: _key, ...anonymous } = tls;
  const agent = new Agent({
    connect: { timeout: connectMs, ...(isFirst ? tls : anonymous) },
    headersTimeout: readMs,
    bodyTimeout: readMs,
    pipelining: 0,
  });
  const where = shownUrl(url.href);
  try {
    const answer = await agent.request({
      origin: url.origin,
      path: url.pathname + url.search,
      method: 'GET',
      headers: { ...(isFirst ? secretHeaders : {}), ...headers },
      signal,
    });
    // Nobody reads on what is not taken; an error of the rest is of no interest.
    answer.body.on('error', () => {});
    if (REDIRECTS.includes(answer.statusCode)) {
      if (followsRedirects) return redirectOf(locationOf(answer.headers), url, where);
      const text = `${where} answers with HTTP status ${answer.statusCode}`;
      throw new FetchProblem('url', `${text}: redirects are not followed, give the last address`);
    }
    return { taken: await take({ ...answer, where }) };
  } catch (error) {
    throw networkProblem(error, where);
  } finally {
    await agent.destroy();
  }
}

function redirectOf(location: string | undefined, from: URL, where: string): URL {
  if (location === undefined || !URL.canParse(location, from)) {
    throw new FetchProblem('url', `${where} redirects to nowhere`);
  }
  const to = new URL(location, from);
  const allowed = from.protocol === 'https:' ? ['https:'] : ['http:', 'https:'];
  if (!allowed.includes(to.protocol)) {
    const message = `${where} redirects from ${from.protocol} to ${to.protocol}, which is not allowed`;
    throw new FetchProblem('url', message);
  }
  // They would be a login of the other server's making.
  to.username = '';
  to.password = '';
  return to;
}
