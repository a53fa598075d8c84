/** What keeps random requests that happen to be right from taking hours. The checks stay as they are. */
import type { Operation } from '../../src/reader-gateway/operations/operation.js';

const NO_RETRIES = { type: 'randomWait', policy: { retries: 0 } };

type Json = Record<string, unknown>;

/**
 * Retries of downloads become none, slow keys quick ones. Wrong values stay wrong.
 * @returns The request itself if there is nothing to tame.
 */
export function tamed({ name }: Operation, request: unknown): unknown {
  const makesKey = name === 'createCertificateRequest';
  if (!isObject(request) || !('url' in request || 'retry' in request || makesKey)) return request;
  const copy: Json = { ...request };
  // Who says nothing of it gets many.
  if ('url' in copy && !('retry' in copy)) copy.retry = NO_RETRIES;
  if (isObject(copy.retry)) {
    // Without a policy, or without a number in it, there are some by default.
    const { policy = {} } = copy.retry;
    if (isObject(policy) && isInteger(policy.retries ?? 0, 1000)) {
      copy.retry = { ...copy.retry, policy: { ...policy, retries: 0 } };
    }
  }
  const { keyType = 'RSA-2048' } = copy;
  if (makesKey && typeof keyType === 'string' && /^RSA-\d+$/.test(keyType)) {
    copy.keyType = 'EC-P256';
  }
  return copy;
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isInteger(value: unknown, maximum: number): boolean {
  return Number.isInteger(value) && Number(value) >= 0 && Number(value) <= maximum;
}
