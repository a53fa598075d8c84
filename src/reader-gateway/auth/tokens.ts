/** The JWTs that a login gives. */
import { USER } from './login-store.js';

const LIFETIME = '24h';

export class Tokens {
  readonly #secret: Uint8Array;

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

  /** False for anything that is not a valid token of this reader. */
  async verify(token: string): Promise<boolean> {
    const { jwtVerify } = await import('jose');
    try {
      await jwtVerify(token, this.#secret, { algorithms: ['HS256'], subject: USER });
      return true;
    } catch {
      return false;
    }
  }
}
