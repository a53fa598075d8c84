/** The token that came with a request. */

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
