/** What holds for a large file before a byte of it is kept. */
import { readStorage } from '../../platform/storage.js';
import { SingulateError } from '../../shared/errors.js';
import type { OsUpdate } from '../api/os-update.js';
import type { NamedFiles } from '../tls/named-files.js';
import { httpRefusal } from './fetch-fault.js';
import { requestHeaders } from './fetch-request.js';
import { FetchProblem } from './fetch-source.js';
import { contentLength, contentRange, isEncoded } from './http-answer.js';
import { askHttp, type HttpAnswer } from './http-request.js';
import type { Reach } from './reach.js';
import { serverTrust } from './server-trust.js';

export interface LargeFileLimits {
  maxBytes: number;
  /** Where it will be kept. */
  folder: string;
  /** Space of the file system that holds a path; tests bring their own. */
  readStorage?: typeof readStorage;
}

/** What a look needs beside them. */
export interface LookLimits extends LargeFileLimits {
  files: NamedFiles;
  reach: Reach;
}

/** Left free beside the file: other parts of the reader write, too. */
const RESERVE_BYTES = 16 * 1024 * 1024;
/** A client waits for its answer. */
const LOOK_MS = 5000;

/**
 * Asks the server for the first byte, so that a client hears at once what will not get better.
 * @throws FetchProblem; a passing one says that nothing is known yet. STATE without room for the file.
 */
export async function lookAtFile(
  request: OsUpdate,
  limits: LookLimits,
  stop: AbortSignal,
): Promise<void> {
  const late = AbortSignal.timeout(LOOK_MS);
  const question = {
    url: request.url,
    secretHeaders: requestHeaders(request),
    headers: { 'accept-encoding': 'identity', range: 'bytes=0-0' },
    tls: await serverTrust(request, limits.files),
    connectMs: LOOK_MS,
    readMs: LOOK_MS,
    followsRedirects: true,
    reach: limits.reach,
    signal: AbortSignal.any([late, stop]),
  };
  try {
    await askHttp(question, async (answer) => {
      const { statusCode, headers } = answer;
      // An empty file has no first byte: its content is looked at when it is there.
      if (statusCode === 416) return;
      if (statusCode !== 200 && statusCode !== 206) throw httpRefusal(answer);
      needPlain(answer);
      const bytes = statusCode === 206 ? contentRange(headers)?.total : contentLength(headers);
      needSize(bytes ?? 0, limits.maxBytes);
      await needRoom(bytes ?? 0, limits);
    });
  } catch (error) {
    if (!late.aborted) throw error;
    throw new FetchProblem('url', `the server has not answered within ${LOOK_MS} ms`, true);
  }
}

/** @throws FetchProblem */
export function needPlain({ headers }: Pick<HttpAnswer, 'headers'>): void {
  if (!isEncoded(headers)) return;
  throw new FetchProblem('url', 'the server sends the file in an encoded form');
}

/** @throws FetchProblem */
export function needSize(bytes: number, maxBytes: number): void {
  if (bytes <= maxBytes) return;
  throw new FetchProblem('url', `the file is above the limit of ${maxBytes} bytes`);
}

/** @param bytes That are still to come. @throws STATE */
export async function needRoom(
  bytes: number,
  { folder, readStorage: read = readStorage }: Omit<LargeFileLimits, 'maxBytes'>,
): Promise<void> {
  const { free } = await read(folder);
  if (free >= bytes + RESERVE_BYTES) return;
  const text = `there is no room: the file needs ${bytes} bytes beside a reserve of ${RESERVE_BYTES}, and ${free} are free`;
  throw new SingulateError('STATE', text);
}
