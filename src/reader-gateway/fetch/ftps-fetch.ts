/**
 * Fetches over FTPS. An address of ftps:// means TLS from the first byte on (port 990), but many
 * servers know only AUTH TLS (port 21): both are spoken, and neither without TLS.
 */
import { isIP } from 'node:net';
import type { Client, FTPError } from 'basic-ftp';
import { errorMessage } from '../../shared/errors.js';
import { FetchProblem, type FetchTry, shownUrl } from './fetch-source.js';
import { ftpsPath } from './ftps-path.js';
import { isNotOfServer, networkProblem } from './network-problem.js';
import type { Reach } from './reach.js';

const EXPLICIT_PORT = 21;
const IMPLICIT_PORT = 990;

export async function ftpsFetch(attempt: FetchTry): Promise<void> {
  const { source, reach } = attempt;
  const url = new URL(source.url);
  const port = Number(url.port || IMPLICIT_PORT);
  const where = shownUrl(source.url);
  if (port !== EXPLICIT_PORT) {
    try {
      return await session(attempt, port, 'implicit');
    } catch (error) {
      // It said hello in plain text: a server of the other kind.
      if (!speaksFirst(error)) throw explained(error, where, reach);
    }
  }
  try {
    await session(attempt, port, true);
  } catch (error) {
    throw explained(error, where, reach);
  }
}

async function session(attempt: FetchTry, port: number, secure: true | 'implicit'): Promise<void> {
  const { source, signal } = attempt;
  const { Client } = await import('basic-ftp');
  const host = new URL(source.url).hostname.replace(/^\[|\]$/g, '');
  const client = new Client(source.readMs, { allowSeparateTransferHost: false });
  try {
    await Promise.race([
      transfer(client, attempt, { host, port, secure }),
      // Not every wait within the client ends when its sockets do.
      aborted(signal),
    ]);
  } finally {
    client.close();
  }
}

async function transfer(
  client: Client,
  { source, tls, sink, reach }: FetchTry,
  { host: name, port, secure }: { host: string; port: number; secure: true | 'implicit' },
): Promise<void> {
  const { url, username, password, connectMs } = source;
  const path = ftpsPath(url);
  if ('problem' in path) throw new FetchProblem('url', path.problem);
  // The files come from the address of the first connection.
  const host = await reach.pinned(name);
  const access = client.access({
    host,
    port,
    secure,
    secureOptions: { ...tls, host, ...(isIP(name) === 0 ? { servername: name } : {}) },
    ...(username === undefined ? {} : { user: username, password: password ?? '' }),
  });
  await within(connectMs, access);
  await client.downloadTo(sink, path.path);
}

/** @throws as the client does when it waited too long. */
async function within(ms: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('Timeout (login)')), ms);
  });
  try {
    await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

function speaksFirst(error: unknown): boolean {
  const code = String((error as NodeJS.ErrnoException).code ?? '');
  return /WRONG_VERSION_NUMBER|PACKET_LENGTH/.test(code);
}

function explained(error: unknown, where: string, reach: Reach): unknown {
  if (isNotOfServer(error)) return error;
  const { code } = error as FTPError | NodeJS.ErrnoException;
  if (typeof code !== 'number') {
    // The client's own timeouts have no code.
    if (/timeout/i.test(errorMessage(error))) {
      return new FetchProblem('url', `${where} does not answer in time`, true);
    }
    return networkProblem(error, where, reach);
  }
  const answer = errorMessage(error);
  if (code === 530 || code === 532) {
    return new FetchProblem('options', `${where} does not let us in (${answer})`);
  }
  return new FetchProblem('url', `${where} answers: ${answer}`, code < 500);
}
