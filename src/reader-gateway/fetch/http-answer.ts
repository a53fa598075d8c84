/** What the headers of an answer say about a download. Pure. */
type Headers = Record<string, string | string[] | undefined>;

function one(headers: Headers, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
}

/**
 * What a later request can name in If-Range: it must change whenever a byte changes.
 * @returns undefined: this answer cannot be resumed.
 */
export function validatorOf(headers: Headers): string | undefined {
  if (one(headers, 'accept-ranges')?.toLowerCase() === 'none') return undefined;
  const etag = one(headers, 'etag');
  if (etag?.startsWith('"')) return etag;
  // A file may change twice in the second that its date names.
  const modified = one(headers, 'last-modified');
  const age = Date.parse(one(headers, 'date') ?? '') - Date.parse(modified ?? '');
  return age >= 60_000 ? modified : undefined;
}

export interface ContentRange {
  first: number;
  /** undefined: the server does not know. */
  total: number | undefined;
}

/** Of a 206. */
export function contentRange(headers: Headers): ContentRange | undefined {
  const found = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(one(headers, 'content-range')?.trim() ?? '');
  if (found === null) return undefined;
  return { first: Number(found[1]), total: found[2] === '*' ? undefined : Number(found[2]) };
}

export function contentLength(headers: Headers): number | undefined {
  const text = one(headers, 'content-length');
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : undefined;
}

/** SHA-256 of the whole file in base64, where the server tells it (RFC 9530, RFC 3230). */
export function digestOf(headers: Headers): string | undefined {
  const found =
    /(?:^|,)\s*sha-256=:([A-Za-z0-9+/]{43}=):/i.exec(one(headers, 'repr-digest') ?? '') ??
    /(?:^|,)\s*sha-256=([A-Za-z0-9+/]{43}=)/i.exec(one(headers, 'digest') ?? '');
  return found?.[1];
}

/** Milliseconds that the server asks to wait. */
export function retryAfterMs(headers: Headers): number {
  const text = one(headers, 'retry-after') ?? '';
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  const date = Date.parse(text);
  return Number.isNaN(date) ? 0 : Math.max(0, date - Date.now());
}

export function isEncoded(headers: Headers): boolean {
  return !['', 'identity'].includes(one(headers, 'content-encoding')?.toLowerCase() ?? '');
}
