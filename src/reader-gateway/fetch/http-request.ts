/**
 * One question over HTTP(S). Redirects are followed, but no secret goes to another server.
 * By Node's own client: undici throws where nobody can catch it when a server closes the
 * connection behind a file that is not written to the disk yet.
 */
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest, type RequestOptions } from 'node:https';
import type { ClientTlsOptions } from '../tls/client-tls.js';
import { FetchProblem, shownUrl } from './fetch-source.js';
import { networkProblem } from './network-problem.js';
import type { Reach } from './reach.js';

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
  /** Holds for every server on the way. */
  reach: Reach;
}

export interface HttpAnswer {
  statusCode: number;
  headers: IncomingMessage['headers'];
  body: IncomingMessage;
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
  question: HttpQuestion,
  isFirst: boolean,
  take: (answer: HttpAnswer) => Promise<T>,
): Promise<URL | { taken: T }> {
  const { secretHeaders, headers = {}, tls, connectMs, readMs, followsRedirects } = question;
  const { signal, reach } = question;
  const { cert: _cert, key: _key, ...anonymous } = tls;
  const where = shownUrl(url.href);
  const limits = { where, connectMs, readMs };
  let body: IncomingMessage | undefined;
  try {
    reach.check(url.hostname);
    body = await open(url, limits, {
      ...(isFirst ? tls : anonymous),
      ...reach.lookup,
      headers: { ...(isFirst ? secretHeaders : {}), ...headers },
      signal,
    });
    const { statusCode = 0, headers: answered } = body;
    if (REDIRECTS.includes(statusCode)) {
      if (followsRedirects) return redirectOf(answered.location, url, where);
      const text = `${where} answers with HTTP status ${statusCode}`;
      throw new FetchProblem('url', `${text}: redirects are not followed, give the last address`);
    }
    return { taken: await take({ statusCode, headers: answered, body, where }) };
  } catch (error) {
    throw networkProblem(error, where, reach);
  } finally {
    // Also when the rest of an answer is not wanted.
    body?.destroy();
  }
}

/** Sends the question, on a connection of its own. @returns The answer, whose body is to be read. */
function open(
  url: URL,
  { where, connectMs, readMs }: { where: string; connectMs: number; readMs: number },
  options: RequestOptions,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const isTls = url.protocol === 'https:';
    const request = (isTls ? httpsRequest : httpRequest)(url, { ...options, agent: false });
    const late = () => new FetchProblem('url', `${where} does not answer in time`, true);
    const connecting = setTimeout(() => request.destroy(late()), connectMs);
    let answer: IncomingMessage | undefined;
    request.on('socket', (socket) => {
      socket.once(isTls ? 'secureConnect' : 'connect', () => clearTimeout(connecting));
    });
    request.setTimeout(readMs, () => {
      if (answer === undefined) request.destroy(late());
      else answer.destroy(new FetchProblem('url', `${where} stopped sending`, true));
    });
    request.on('response', (response) => {
      answer = response;
      // Nobody reads on what is not taken; an error of the rest is of no interest.
      response.on('error', () => {});
      resolve(response);
    });
    request.on('error', reject);
    request.on('close', () => clearTimeout(connecting));
    request.end();
  });
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
