/** The JWTs that a login gives. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { USER } from './login-store.js';

const LIFETIME = '24h';
/** Tokens that were found to be right: a client uses its own again and again. */
const MAX_KNOWN = 64;

export class Tokens {
  #secret: Uint8Array;
  /** Until when, in milliseconds. */
  readonly #known = new Map<string, number>();
  readonly #holders = new Set<() => void>();

  /** @param secret Base64. */
  constructor(secret: string) {
    this.#secret = Buffer.from(secret, 'base64');
  }

  async issue(): Promise<string> {
    const { SignJWT } = await import('jose');
    return new SignJWT({})
      .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
      .setSubject(USER)
      .setIssuedAt()
      .setExpirationTime(LIFETIME)
      .sign(this.#secret);
  }

  /**
   * Tells strangers from clients for a few microseconds, before anything is spent on a request. It lets
   * nobody in: verify() does.
   */
  isSigned(token: string): boolean {
    const until = this.#known.get(token);
    if (until !== undefined) return Date.now() < until;
    const [header = '', payload = '', signature = '', ...more] = token.split('.', 4);
    if (more.length > 0) return false;
    const right = createHmac('sha256', this.#secret).update(`${header}.${payload}`).digest();
    const given = Buffer.from(signature, 'base64url');
    if (given.length !== right.length || !timingSafeEqual(given, right)) return false;
    // The reader has written it: it is as it should be.
    const { exp } = JSON.parse(Buffer.from(payload, 'base64url').toString()) as { exp?: number };
    return Date.now() < 1000 * (exp ?? 0);
  }

  /** False for anything that is not a valid token of this reader. */
  async verify(token: string): Promise<boolean> {
    const until = this.#known.get(token);
    if (until !== undefined) {
      if (Date.now() < until) return true;
      this.#known.delete(token);
      return false;
    }
    if (!isOneSpelling(token)) return false;
    const secret = this.#secret;
    const { jwtVerify } = await import('jose');
    try {
      const { payload } = await jwtVerify(token, secret, {
        algorithms: ['HS256'],
        subject: USER,
        requiredClaims: ['exp'],
      });
      // They may have been revoked meanwhile.
      if (secret !== this.#secret) return false;
      this.#remember(token, 1000 * (payload.exp as number));
      return true;
    } catch {
      return false;
    }
  }

  /** From now on no token of before is valid; those who came in with one are notified. @param secret Base64. */
  revokeAll(secret: string): void {
    this.#secret = Buffer.from(secret, 'base64');
    this.#known.clear();
    const holders = [...this.#holders];
    this.#holders.clear();
    for (const revoked of holders) revoked();
  }

  /**
   * For what goes on after its token was checked, as a stream does.
   * @param revoked Called once, when the token is not valid any more because all are revoked.
   * @returns To be called when it ends by itself.
   */
  hold(revoked: () => void): () => void {
    this.#holders.add(revoked);
    return () => void this.#holders.delete(revoked);
  }

  #remember(token: string, until: number): void {
    if (this.#known.size >= MAX_KNOWN) {
      const [oldest] = this.#known.keys();
      if (oldest !== undefined) this.#known.delete(oldest);
    }
    this.#known.set(token, until);
  }
}

/** Base64 has several spellings of the same bytes; header and payload are signed as they are spelled. */
function isOneSpelling(token: string): boolean {
  const signature = token.slice(token.lastIndexOf('.') + 1);
  return Buffer.from(signature, 'base64url').toString('base64url') === signature;
}
