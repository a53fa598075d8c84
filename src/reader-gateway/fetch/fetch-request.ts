/** What a schema cannot say about a request that makes the reader fetch a file. Pure. */
import type { Violation } from '../../shared/errors.js';
import type { FetchLimits } from '../api/fetch.js';
import { joinPath, show } from '../api/validate.js';

/** The fields that all such requests have. */
export interface FetchRequest {
  authenticationType?: 'NONE' | 'BASIC' | undefined;
  options?: { username?: string | undefined; password?: string | undefined } | undefined;
  headers?: Record<string, string> | undefined;
  retry?:
    | {
        policy?:
          | {
              retries?: number | undefined;
              wait?: { min?: number | undefined; max?: number | undefined } | undefined;
            }
          | undefined;
      }
    | undefined;
}

/** The fetch sets these itself. */
const OWN_HEADERS = [
  'accept-encoding',
  'connection',
  'content-length',
  'expect',
  'host',
  'if-match',
  'if-modified-since',
  'if-none-match',
  'if-range',
  'if-unmodified-since',
  'keep-alive',
  'range',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
];

/** An http(s) address of a request. What is no URL may hold a password as well: it is not shown. */
export function urlProblems(text: string): Violation[] {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !['http:', 'https:'].includes(url.protocol)) {
    return [{ field: 'url', message: 'is not an http(s) URL' }];
  }
  if (url.username === '' && url.password === '') return [];
  return [{ field: 'url', message: 'must not have credentials: they belong in options' }];
}

/** Values are not repeated: they may be secrets. */
export function headerProblems({ headers = {}, authenticationType }: FetchRequest): Violation[] {
  const problems: Violation[] = [];
  for (const [name, value] of Object.entries(headers)) {
    const field = joinPath('headers', name);
    const lower = name.toLowerCase();
    if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name)) {
      problems.push({ field, message: 'is not the name of a header' });
    } else if (OWN_HEADERS.includes(lower)) {
      problems.push({ field, message: 'is set by the reader itself' });
    } else if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(value)) {
      problems.push({ field, message: 'may only have characters that a header can have' });
    } else if (lower === 'authorization' && authenticationType === 'BASIC') {
      problems.push({ field, message: 'is not possible beside authenticationType BASIC' });
    }
  }
  return problems;
}

export function loginProblems({ authenticationType, options = {} }: FetchRequest): Violation[] {
  if (authenticationType !== 'BASIC') return [];
  const problems: Violation[] = [];
  if (options.username === undefined || options.username === '') {
    problems.push({ field: 'options.username', message: 'is required for BASIC' });
  } else if (options.username.includes(':')) {
    problems.push({ field: 'options.username', message: 'must not have a ":" for BASIC' });
  }
  if (options.password === undefined) {
    problems.push({ field: 'options.password', message: 'is required for BASIC' });
  }
  return problems;
}

export function waitProblems(
  { retry }: FetchRequest,
  { wait }: Pick<FetchLimits, 'wait'>,
): Violation[] {
  const { min = wait.min, max = Math.max(min, wait.max) } = retry?.policy?.wait ?? {};
  if (max >= min) return [];
  return [{ field: 'retry.policy.wait.min', message: `${show(min)} is above max, ${show(max)}` }];
}

/** What goes with a request to the server that it names, and to no other. */
export function requestHeaders({
  authenticationType,
  options = {},
  headers = {},
}: FetchRequest): Record<string, string> {
  if (authenticationType !== 'BASIC') return headers;
  // One header, whatever the case that the map writes it in; the map wins.
  if (Object.keys(headers).some((name) => name.toLowerCase() === 'authorization')) return headers;
  const { username = '', password = '' } = options;
  const login = Buffer.from(`${username}:${password}`).toString('base64');
  return { ...headers, authorization: `Basic ${login}` };
}
