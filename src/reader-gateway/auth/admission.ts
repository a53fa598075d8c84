/** Who comes in: with a valid token; or, where that was switched on, a program on this reader. */
import type { IncomingMessage } from 'node:http';
import { isLoopback } from '../../shared/arrivals/client-key.js';
import { KnownClients } from '../../shared/arrivals/known-clients.js';
import type { Tokens } from './tokens.js';

export type Admitted = 'by token' | 'as a local program';

/** A request with one of them was made for somebody else: by a proxy, or by a page in a browser. */
const ON_BEHALF = ['forwarded', 'x-forwarded-for', 'x-real-ip', 'via', 'origin', 'sec-fetch-site'];

export class Admission {
  constructor(
    readonly tokens: Tokens,
    /** Programs on this reader need no token. */
    private readonly trustsLocalPrograms = false,
    /** Those who came in by token lately. */
    readonly known = new KnownClients(),
  ) {}

  /**
   * @param token The one that came with the request.
   * @returns undefined: it does not come in.
   */
  async of(request: IncomingMessage, token: string | undefined): Promise<Admitted | undefined> {
    if (token !== undefined) {
      if (!(await this.tokens.verify(token))) return undefined;
      this.known.saw(request.socket.remoteAddress ?? '');
      return 'by token';
    }
    return this.trustsLocalPrograms && isLocal(request) ? 'as a local program' : undefined;
  }

  /** What of() will say, as far as it can be known at once. */
  isLikely(request: IncomingMessage, token: string | undefined): boolean {
    if (token !== undefined) return this.tokens.isSigned(token);
    return this.trustsLocalPrograms && isLocal(request);
  }
}

/** A wrong token, or none where there should be one, is never made good by the address. */
function isLocal({ headers, socket }: IncomingMessage): boolean {
  return (
    headers.authorization === undefined &&
    !ON_BEHALF.some((name) => name in headers) &&
    isLoopback(socket.remoteAddress ?? '')
  );
}
