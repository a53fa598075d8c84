/** What a schema cannot say about a request to fetch a file. */
import { invalid, type Violation } from '../../shared/errors.js';
import { OsUpdate } from '../api/os-update.js';
import { findRequestViolations, joinPath, show } from '../api/validate.js';
import { downloadTls } from '../tls/download-tls.js';

/** The download sets these itself. */
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

/** @throws INVALID naming all that is wrong. */
export async function checkOsUpdate(value: unknown): Promise<OsUpdate> {
  const problems = findRequestViolations(OsUpdate, value);
  if (problems.length > 0) throw invalid(problems);
  const request = value as OsUpdate;
  problems.push(...urlProblems(request.url), ...headerProblems(request));
  const { min = 1, max = 60 } = request.retry?.policy?.wait ?? {};
  if (min > max) {
    problems.push({ field: 'retry.policy.wait.min', message: `${min} is above max, ${max}` });
  }
  if (request.authenticationType === 'BASIC') {
    for (const key of ['username', 'password'] as const) {
      if (request.options?.[key] === undefined) {
        problems.push({ field: `options.${key}`, message: 'is required for BASIC' });
      }
    }
    if (request.options?.username?.includes(':')) {
      problems.push({ field: 'options.username', message: 'must not have a ":" for BASIC' });
    }
  }
  if (problems.length > 0) throw invalid(problems);
  await downloadTls(request);
  return request;
}

function urlProblems(text: string): Violation[] {
  if (!URL.canParse(text)) return [{ field: 'url', message: `${show(text)} is not a URL` }];
  const { username, password } = new URL(text);
  if (username === '' && password === '') return [];
  return [{ field: 'url', message: 'must not have credentials: they belong in options' }];
}

/** Values are not repeated: they may be secrets. */
function headerProblems({ headers = {}, authenticationType }: OsUpdate): Violation[] {
  const problems: Violation[] = [];
  for (const [name, value] of Object.entries(headers)) {
    const field = joinPath('headers', name);
    const lower = name.toLowerCase();
    if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name)) {
      problems.push({ field, message: 'is not the name of a header' });
    } else if (OWN_HEADERS.includes(lower)) {
      problems.push({ field, message: 'is set by the reader itself' });
    } else if (!/^[\x20-\x7e\t]*$/.test(value)) {
      problems.push({ field, message: 'may only have printable ASCII characters' });
    } else if (lower === 'authorization' && authenticationType === 'BASIC') {
      problems.push({ field, message: 'is not possible beside authenticationType BASIC' });
    }
  }
  return problems;
}
