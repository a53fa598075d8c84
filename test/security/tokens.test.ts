/** Tokens that this reader did not issue, or not for now, are worth nothing. */
import { createHmac, createPrivateKey, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SignJWT } from 'jose';
import t from 'tap';
import { send, TestReader } from '../gateway/reader.js';
import { rsaKeys } from '../gateway/rsa-keys.js';

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Another last letter of base64url for the same bytes: of the last one only four bits count. */
function spelledElsewise(token: string): string {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  return letters[letters.indexOf(token.at(-1) as string) + 1] as string;
}

t.test('one reader', async (t) => {
  const reader = await TestReader.start(t);
  const other = await TestReader.start(t);
  t.teardown(() => Promise.all([reader.gateway.stop(), other.gateway.stop()]));
  const url = reader.gateway.restUrl;
  const status = async (token: string, headers: Record<string, string> = {}) =>
    (
      await send(url, 'GET', '/cloud/version', {
        headers: { authorization: `Bearer ${token}`, ...headers },
      })
    ).status;
  const { secret: text } = JSON.parse(readFileSync(join(reader.stateDir, 'auth.json'), 'utf8'));
  const secret = Buffer.from(text, 'base64');
  const now = Math.floor(Date.now() / 1000);
  const claims = { sub: 'admin', iat: now, exp: now + 3600 };
  const { message: token } = (await reader.login()).json;
  const [header = '', payload = '', signature = ''] = token.split('.');
  const hmac = (input: string, hash = 'sha256', key: Buffer | string = secret) =>
    createHmac(hash, key).update(input).digest('base64url');
  const signed = (head: object, body: object, hash?: string, key?: Buffer | string) => {
    const input = `${encode(head)}.${encode(body)}`;
    return `${input}.${hmac(input, hash, key)}`;
  };
  const HS256 = { alg: 'HS256', typ: 'JWT' };
  const { privateKey, publicKey } = rsaKeys();
  const certificate = readFileSync(join(reader.stateDir, 'tls', 'cert.pem'));

  t.test('the forger of this test can forge: with the secret it would be let in', async (t) => {
    t.equal(await status(signed(HS256, claims)), 200);
    t.equal(await status(token), 200);
  });

  const FORGED: Record<string, string> = {
    'no algorithm': `${encode({ alg: 'none' })}.${encode(claims)}.`,
    'no algorithm, with a signature': `${encode({ alg: 'none' })}.${payload}.${signature}`,
    'no algorithm in odd letters': `${encode({ alg: 'nOnE' })}.${encode(claims)}.`,
    'another algorithm with the right secret': signed({ alg: 'HS512' }, claims, 'sha512'),
    'an algorithm of key pairs': await new SignJWT(claims)
      .setProtectedHeader({ alg: 'RS256' })
      .sign(createPrivateKey(privateKey)),
    'a public key as the secret': signed(HS256, claims, 'sha256', publicKey),
    'the certificate as the secret': signed(HS256, claims, 'sha256', certificate),
    'a key of its own': signed(
      { ...HS256, jwk: { kty: 'oct', k: randomBytes(32).toString('base64url') } },
      claims,
      'sha256',
      randomBytes(32),
    ),
    'an empty secret': signed(HS256, claims, 'sha256', ''),
    'the secret as text': signed(HS256, claims, 'sha256', text),
    expired: signed(HS256, { ...claims, exp: now - 1 }),
    'without an end': signed(HS256, { sub: 'admin', iat: now }),
    'not valid yet': signed(HS256, { ...claims, nbf: now + 3600 }),
    'of another user': signed(HS256, { ...claims, sub: 'root' }),
    'with a critical header that nobody knows': signed({ ...HS256, crit: ['x'], x: 1 }, claims),
    'with other claims': `${header}.${encode({ ...claims, exp: now + 1e9 })}.${signature}`,
    'with another header': `${encode({ ...HS256, x: 1 })}.${payload}.${signature}`,
    'with a signature that is cut': `${header}.${payload}.${signature.slice(0, -2)}`,
    'without a signature': `${header}.${payload}.`,
    'with padding': `${token}=`,
    'with bits after the end of the signature': token.slice(0, -1) + spelledElsewise(token),
    'of two parts': `${header}.${payload}`,
    'of another reader': (await other.login()).json.message,
    nothing: '',
  };
  for (const [name, forged] of Object.entries(FORGED)) {
    t.test(`refused: ${name}`, async (t) => {
      t.equal(await status(forged), 401);
      t.equal(await status(forged), 401, 'also the second time');
    });
  }

  t.test('every bit of a token counts', async (t) => {
    const bytes = Buffer.from(signature, 'base64url');
    for (let bit = 0; bit < bytes.length * 8; bit += 17) {
      const altered = Buffer.from(bytes);
      altered[bit >> 3] = (altered[bit >> 3] as number) ^ (1 << (bit & 7));
      const forged = `${header}.${payload}.${altered.toString('base64url')}`;
      t.equal(await status(forged), 401, `bit ${bit}`);
    }
  });

  t.test('a token in the address is for streams alone', async (t) => {
    t.equal((await send(url, 'GET', `/cloud/status?access_token=${token}`)).status, 401);
  });
});
