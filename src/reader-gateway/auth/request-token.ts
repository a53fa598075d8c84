/** The token that came with a request. */
import type { IncomingMessage } from 'node:http';

const STREAM_PATH = '/cloud/events';

export function bearerToken(authorization: string | undefined): string | undefined {
  const [scheme, token] = (authorization ?? '').split(' ');
  return scheme?.toLowerCase() === 'bearer' && token ? token : undefined;
}

/**
 * Also the one in the address, only for streams: EventSource and WebSocket of browsers cannot
 * set headers. Such an address must never get into a log.
 */
export function streamToken(
  authorization: string | undefined,
  query: URLSearchParams,
): string | undefined {
  return bearerToken(authorization) ?? query.get('access_token') ?? undefined;
}

/** Of whatever request over HTTP. */
export function tokenOf({ headers, url = '' }: IncomingMessage): string | undefined {
  const [path, search] = url.split('?', 2);
  return path === STREAM_PATH
    ? streamToken(headers.authorization, new URLSearchParams(search))
    : bearerToken(headers.authorization);
}
