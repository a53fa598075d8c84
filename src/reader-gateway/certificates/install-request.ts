/** What an install asks for, out of the many fields that the interface has for it. */
import { invalid, type Violation } from '../../shared/errors.js';
import type { InstallCertificate } from '../api/certificates.js';
import { show } from '../api/validate.js';
import { headerProblems, waitProblems } from '../fetch/fetch-request.js';
import type { FetchSource } from '../fetch/fetch-source.js';
import { ftpsPath } from '../fetch/ftps-path.js';
import { retryPolicy } from '../fetch/retries.js';
import type { CertificateSource, FileLocations } from './meta.js';

/** What came with the request itself, PEM or (pfx) bytes. */
export interface GivenContents {
  pfx?: Buffer | undefined;
  cert?: string | undefined;
  key?: string | undefined;
  ca?: string | undefined;
}

export interface InstallPlan {
  source: CertificateSource;
  /** Beside what the source brings. */
  contents: GivenContents;
  /** Files on the reader to read beside them. */
  locations: FileLocations;
  pfxPassword: string | undefined;
}

const CONNECT_S = 10;
const READ_S = 15;
const TOTAL_S = 60;
/** Of a request that asks for tries, but does not say how many. */
const RETRIES = 3;
const WAIT = { min: 1, max: 1, maximum: 600 };

/** @throws INVALID that names every wrong field. */
export function planInstall(request: InstallCertificate): InstallPlan {
  const problems: Violation[] = [];
  const { pfxPassword } = request;
  if (request.url !== undefined) {
    if (request.pfxContent) {
      problems.push({ field: 'pfxContent', message: 'is given beside url; only one is allowed' });
    }
    const fetch = fetchSource(request, request.url, problems);
    if (problems.length > 0 || fetch === undefined) throw invalid(problems);
    const source: CertificateSource = { kind: 'url', fetch, pfxPassword };
    return { source, contents: {}, locations: {}, pfxPassword };
  }
  const plan = withoutUrl(request, problems);
  if (problems.length > 0) throw invalid(problems);
  return plan;
}

function withoutUrl(request: InstallCertificate, problems: Violation[]): InstallPlan {
  const { pfxPassword } = request;
  const one = (content: string | undefined, location: string | undefined, name: string) => {
    if (content && location) {
      const message = `is given beside ${name}FileContent; only one is allowed`;
      problems.push({ field: `${name}FileLocation`, message });
    }
  };
  one(request.publicKeyFileContent, request.publicKeyFileLocation, 'publicKey');
  one(request.privateKeyFileContent, request.privateKeyFileLocation, 'privateKey');
  one(request.CACertificateFileContent, request.CACertificateFileLocation, 'CACertificate');
  const contents: GivenContents = {
    pfx: request.pfxContent ? base64(request.pfxContent, problems) : undefined,
    cert: request.publicKeyFileContent || undefined,
    key: request.privateKeyFileContent || undefined,
    ca: request.CACertificateFileContent || undefined,
  };
  const locations: FileLocations = {
    cert: request.publicKeyFileLocation || undefined,
    key: request.privateKeyFileLocation || undefined,
    ca: request.CACertificateFileLocation || undefined,
  };
  const given = { ...defined(locations), ...defined(contents) };
  if (Object.keys(given).length === 0) {
    const message =
      'is required (or pfxContent, or publicKeyFileContent or ...Location, or CACertificateFileContent or ...Location)';
    problems.push({ field: 'url', message });
  }
  if (contents.pfx !== undefined && ('cert' in given || 'key' in given)) {
    const message = 'is given beside a certificate or key in PEM form; only one is allowed';
    problems.push({ field: 'pfxContent', message });
  }
  const onlyFiles = Object.keys(defined(contents)).length === 0;
  const source: CertificateSource = onlyFiles
    ? { kind: 'files', files: locations, pfxPassword }
    : { kind: 'content' };
  return { source, contents, locations, pfxPassword };
}

/** @returns undefined if the url is no url. */
function fetchSource(
  request: InstallCertificate,
  text: string,
  problems: Violation[],
): FetchSource | undefined {
  const url = fileUrl(text, request, problems);
  const { options = {}, headers, timeouts = {}, retry } = request;
  // Beside an authorization of its own a login is not sent, and not an error either.
  problems.push(...headerProblems({ headers }));
  const basic = (request.authenticationType ?? (options.username ? 'BASIC' : 'NONE')) === 'BASIC';
  const username = options.username || decode(url?.username ?? '');
  if (basic && request.authenticationType === 'BASIC' && username === '') {
    problems.push({ field: 'options.username', message: 'is required for BASIC' });
  }
  const password = options.username ? options.password : decode(url?.password ?? '');
  for (const [field, value] of [
    ['options.username', username],
    ['options.password', password],
  ] as const) {
    if (/\p{Cc}/u.test(value ?? '')) problems.push({ field, message: 'has a control character' });
  }
  if (url === undefined) return undefined;
  const login = basic || url.username !== '' ? { username, password } : {};
  url.username = '';
  url.password = '';
  const retries = { default: retry === undefined ? 0 : RETRIES, maximum: 10 };
  problems.push(...waitProblems({ retry }, { wait: WAIT }));
  return {
    url: url.href,
    ...login,
    headers,
    tls: tlsOf(request),
    connectMs: 1000 * (timeouts.connection ?? CONNECT_S),
    readMs: 1000 * (timeouts.read ?? READ_S),
    totalMs: 1000 * (request.timeoutInSec ?? TOTAL_S),
    retry: retryPolicy({ retry }, { retries, wait: WAIT }),
  };
}

function tlsOf(request: InstallCertificate): FetchSource['tls'] {
  const {
    verifyPeer,
    verifyHost,
    CACertificateFileLocation,
    CACertificateFileContent,
    installedCertificateType,
    installedCertificateName,
    publicKeyFileLocation,
    publicKeyFileContent,
    privateKeyFileLocation,
    privateKeyFileContent,
  } = request;
  return {
    verifyPeer,
    verifyHost,
    CACertificateFileLocation,
    CACertificateFileContent,
    installedCertificateType,
    installedCertificateName,
    publicKeyFileLocation,
    publicKeyFileContent,
    privateKeyFileLocation,
    privateKeyFileContent,
  };
}

/** The url, and the name of the file below it if that is given apart. */
function fileUrl(
  text: string,
  { pfxFileName, filename }: InstallCertificate,
  problems: Violation[],
): URL | undefined {
  const file = pfxFileName || filename || '';
  if (!URL.canParse(text)) {
    problems.push({ field: 'url', message: `${show(withoutLogin(text))} is not a URL` });
    return undefined;
  }
  const url = new URL(text);
  if (url.protocol !== 'https:' && url.protocol !== 'ftps:') {
    const message = `${url.protocol} is not allowed; ftps: and https: are`;
    problems.push({ field: 'url', message });
    return undefined;
  }
  if (file !== '') {
    const path = file.split('/').map(encodeURIComponent).join('/');
    if (!url.pathname.endsWith(`/${path}`)) {
      url.pathname = `${url.pathname.replace(/\/$/, '')}/${path}`;
    }
  }
  if (url.protocol === 'ftps:') {
    const path = ftpsPath(url.href);
    if ('problem' in path) problems.push({ field: 'url', message: path.problem });
  }
  return url;
}

function withoutLogin(text: string): string {
  return text.replace(/\/\/.*@/, '//');
}

function base64(text: string, problems: Violation[]): Buffer {
  // Some tools break the lines, some write it as a data URL.
  const bare = text.replace(/^data:[^,]*,/, '').replace(/\s+/g, '');
  if (!/^[A-Za-z0-9+/_-]+={0,2}$/.test(bare)) {
    problems.push({ field: 'pfxContent', message: 'is not base64' });
  }
  return Buffer.from(bare, 'base64');
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function defined(values: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}
