/** Passwords and their hashes. */
import { randomBytes, randomInt, scrypt, timingSafeEqual } from 'node:crypto';

// Without letters and digits that people confuse.
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789';
const GROUPS = 4;
const GROUP_LENGTH = 5;
const KEY_BYTES = 32;
/** Of scrypt, for every new password: 2^14 rounds over 16 MB, some 40 ms of a processor. */
const COST_LOG2 = 14;

export interface PasswordHash {
  /** Base64. */
  salt: string;
  hash: string;
  /** The cost that it was made with, as a power of two. Left out: 14. */
  costLog2?: number;
}

/** `k7mqp-...`: 20 characters out of 31, 99 bits. */
export function randomPassword(): string {
  const group = () =>
    Array.from({ length: GROUP_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
  return Array.from({ length: GROUPS }, group).join('-');
}

export async function hashPassword(password: string, costLog2 = COST_LOG2): Promise<PasswordHash> {
  const salt = randomBytes(16);
  const hash = await derive(password, salt, costLog2);
  return {
    salt: salt.toString('base64'),
    hash: hash.toString('base64'),
    ...(costLog2 === COST_LOG2 ? {} : { costLog2 }),
  };
}

/** Takes the same time for every wrong password. */
export async function verifyPassword(password: string, stored: PasswordHash): Promise<boolean> {
  const hash = await derive(password, Buffer.from(stored.salt, 'base64'), stored.costLog2);
  const expected = Buffer.from(stored.hash, 'base64');
  return hash.length === expected.length && timingSafeEqual(hash, expected);
}

function derive(password: string, salt: Buffer, costLog2 = COST_LOG2): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(password, salt, KEY_BYTES, { N: 2 ** costLog2, r: 8, p: 1 }, (error, key) =>
      error ? reject(error) : resolve(key),
    );
  });
}
