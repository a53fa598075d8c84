/** What keeps random requests that happen to be right from taking hours. The checks stay as they are. */

type Json = Record<string, unknown>;

/**
 * Retries of downloads become none, slow keys quick ones. Wrong values stay wrong.
 * @returns The request itself if there is nothing to tame.
 */
export function tamed(request: unknown): unknown {
  if (!isObject(request) || !('retry' in request || 'keyType' in request)) return request;
  const copy: Json = { ...request };
  if (isObject(copy.retry) && isObject(copy.retry.policy)) {
    const { retries } = copy.retry.policy;
    if (isInteger(retries, 1000)) {
      copy.retry = { ...copy.retry, policy: { ...copy.retry.policy, retries: 0 } };
    }
  }
  if (typeof copy.keyType === 'string' && /^RSA-\d+$/.test(copy.keyType)) copy.keyType = 'EC-P256';
  return copy;
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isInteger(value: unknown, maximum: number): boolean {
  return Number.isInteger(value) && Number(value) >= 0 && Number(value) <= maximum;
}
