/** Passwords and their hashes. */
import { randomBytes, randomInt, scrypt, timingSafeEqual } from 'node:crypto';

// Without letters and digits that people confuse.
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789';
const GROUPS = 4;
const GROUP_LENGTH = 5;
const KEY_BYTES = 32;

export interface PasswordHash {
  /** Base64. */
  salt: string;
  hash: string;
}

/** `k7mqp-...`: 20 characters out of 31, 99 bits. */
export function randomPassword(): string {
  const group = () =>
    Array.from({ length: GROUP_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
  return Array.from({ length: GROUPS }, group).join('-');
}

export async function hashPassword(password: string): Promise<PasswordHash> {
  const salt = randomBytes(16);
  const hash = await derive(password, salt);
  return { salt: salt.toString('base64'), hash: hash.toString('base64') };
}

/** Takes the same time for every wrong password. */
export async function verifyPassword(password: string, stored: PasswordHash): Promise<boolean> {
  const hash = await derive(password, Buffer.from(stored.salt, 'base64'));
  const expected = Buffer.from(stored.hash, 'base64');
  return hash.length === expected.length && timingSafeEqual(hash, expected);
}

function derive(password: string, salt: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(password, salt, KEY_BYTES, { N: 16384, r: 8, p: 1 }, (error, key) =>
      error ? reject(error) : resolve(key),
    );
  });
}
