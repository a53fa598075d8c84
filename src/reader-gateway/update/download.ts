/** Fetches a file over HTTP or HTTPS, on and on from where it broke off. */
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Agent, Dispatcher } from 'undici';
import { readStorage } from '../../platform/storage.js';
import { errorMessage } from '../../shared/errors.js';
import type { Logger } from '../../shared/log.js';
import type { OsUpdate } from '../api/os-update.js';
import { downloadTls } from '../tls/download-tls.js';
import {
  contentLength,
  contentRange,
  digestOf,
  isEncoded,
  locationOf,
  retryAfterMs,
  validatorOf,
} from './http-answer.js';
import { PartialFile } from './partial-file.js';
import { Retries } from './retry.js';

/** What is known of a file that is not whole yet; survives a restart. */
export interface DownloadMark {
  /** Surely on the disk. */
  bytes: number;
  /** The server's name of this very content; undefined: it must begin anew. */
  validator?: string;
  total?: number;
}

export interface DownloadJob {
  request: OsUpdate;
  file: string;
  mark: DownloadMark;
  maxBytes: number;
  signal: AbortSignal;
  log: Logger;
  /** The mark has moved: to be kept. */
  onMark(mark: DownloadMark): Promise<void>;
  onProgress(done: number, total: number | undefined): void;
  /** Space of the file system that holds a path; tests bring their own. */
  readStorage?: typeof readStorage;
}

/** Left free beside the download: other parts of the reader write, too. */
const RESERVE_BYTES = 16 * 1024 * 1024;
const FLUSH_BYTES = 8 * 1024 * 1024;
const MAX_REDIRECTS = 5;

/** Another try would end in the same way. */
class Final extends Error {}

class Unsuccessful extends Error {
  constructor(
    message: string,
    readonly askedMs: number,
  ) {
    super(message);
  }
}

/** @returns SHA-256 of the file, in hexadecimal. @throws if the file cannot be had. */
export async function download(job: DownloadJob): Promise<string> {
  const { request, log, signal } = job;
  const { Agent: UndiciAgent } = await import('undici');
  const { connection = 30, read = 60 } = request.timeouts ?? {};
  const agent = new UndiciAgent({
    connect: { ...(await downloadTls(request)), timeout: connection * 1000 },
    headersTimeout: read * 1000,
    bodyTimeout: read * 1000,
  });
  const resumable = job.mark.validator !== undefined;
  const file = await PartialFile.open(job.file, resumable ? job.mark.bytes : 0);
  const retries = new Retries(request);
  const run = new Run(job, agent, file);
  try {
    for (;;) {
      try {
        return await run.once();
      } catch (error) {
        signal.throwIfAborted();
        if (isFinal(error)) throw new Error(describe(error));
        const waitMs = retries.next(error instanceof Unsuccessful ? error.askedMs : 0);
        if (waitMs === undefined) throw new Error(`given up: ${describe(error)}`);
        const url = shownUrl(request.url);
        log.warn({ url, reason: describe(error), waitMs }, 'download broke off');
        await sleep(waitMs, undefined, { signal });
      }
    }
  } finally {
    await file.close();
    await agent.destroy();
  }
}

/** Without the query: it may hold a signature or a token. */
export function shownUrl(url: string): string {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`;
}

class Run {
  #mark: DownloadMark;
  #digest: string | undefined;

  constructor(
    private readonly job: DownloadJob,
    private readonly agent: Agent,
    private readonly file: PartialFile,
  ) {
    this.#mark = { ...job.mark, bytes: file.size };
  }

  /** One try. */
  async once(): Promise<string> {
    const { validator } = this.#mark;
    const resume = validator !== undefined && this.file.size > 0;
    const answer = await this.#ask(
      resume ? { range: `bytes=${this.file.size}-`, 'if-range': validator } : {},
    );
    const { statusCode, headers, body } = answer;
    try {
      // An error page may come as it likes.
      if (statusCode < 300 && isEncoded(headers)) {
        throw new Final('the server sends the file in an encoded form');
      }
      if (resume && statusCode === 206) await this.#goOn(headers);
      else if (statusCode === 200) await this.#beginAnew(headers);
      // Nothing is behind our last byte: the file has changed, or we had it all.
      else if (resume && statusCode === 416) {
        if (this.file.size !== this.#mark.total) {
          await this.#forget();
          throw new Unsuccessful('the file on the server has changed', 0);
        }
        return await this.#finish();
      } else throw refusal(statusCode, headers);
      await this.#needSpace();
      await this.#take(body);
    } finally {
      // Nobody reads on; an error of the rest is of no interest.
      body.on('error', () => {});
      body.destroy();
    }
    return this.#finish();
  }

  /** Follows redirects. Credentials and headers are for the host of the request alone. */
  async #ask(range: Record<string, string>): Promise<Dispatcher.ResponseData> {
    const { request: send } = await import('undici');
    const { request, signal } = this.job;
    const first = new URL(request.url);
    let url = first;
    for (let hops = 0; hops <= MAX_REDIRECTS; hops++) {
      const own =
        url.origin === first.origin ? { ...request.headers, ...authorization(request) } : {};
      const answer = await send(url, {
        dispatcher: this.agent,
        signal,
        headers: { 'accept-encoding': 'identity', ...own, ...range },
      });
      if (![301, 302, 303, 307, 308].includes(answer.statusCode)) return answer;
      await answer.body.dump();
      url = redirected(url, locationOf(answer.headers));
    }
    throw new Final(`the server redirects more than ${MAX_REDIRECTS} times`);
  }

  async #goOn(headers: Dispatcher.ResponseData['headers']): Promise<void> {
    const { total: known } = this.#mark;
    const range = contentRange(headers);
    const total = range?.total ?? known;
    if (range?.first !== this.file.size || (known !== undefined && total !== known)) {
      await this.#forget();
      throw new Unsuccessful('the server goes on with something else than was asked for', 0);
    }
    if (total !== undefined) this.#mark = { ...this.#mark, total };
    this.#digest ??= digestOf(headers);
  }

  async #beginAnew(headers: Dispatcher.ResponseData['headers']): Promise<void> {
    await this.file.restart();
    this.#digest = digestOf(headers);
    const validator = validatorOf(headers);
    const total = contentLength(headers);
    this.#mark = {
      bytes: 0,
      ...(validator === undefined ? {} : { validator }),
      ...(total === undefined ? {} : { total }),
    };
    this.#checkSize(total ?? 0);
    await this.job.onMark(this.#mark);
  }

  async #forget(): Promise<void> {
    await this.file.restart();
    this.#mark = { bytes: 0 };
    await this.job.onMark(this.#mark);
  }

  async #take(body: Dispatcher.ResponseData['body']): Promise<void> {
    const { onProgress, onMark } = this.job;
    for await (const chunk of body as AsyncIterable<Buffer>) {
      this.#checkSize(this.file.size + chunk.length);
      await this.file.append(chunk);
      onProgress(this.file.size, this.#mark.total);
      if (this.file.size - this.#mark.bytes >= FLUSH_BYTES) {
        await this.file.flush();
        this.#mark = { ...this.#mark, bytes: this.file.size };
        await onMark(this.#mark);
      }
    }
  }

  async #finish(): Promise<string> {
    const { size } = this.file;
    const { total } = this.#mark;
    if (total !== undefined && size < total) {
      throw new Unsuccessful(`the connection closed after ${size} of ${total} bytes`, 0);
    }
    const sha256 = this.file.sha256();
    if (this.#digest !== undefined && this.#digest !== sha256.toString('base64')) {
      await this.#forget();
      throw new Unsuccessful('the file is not what its digest in the answer says', 0);
    }
    await this.file.flush();
    await this.job.onMark({ ...this.#mark, bytes: size, total: size });
    return sha256.toString('hex');
  }

  #checkSize(bytes: number): void {
    const { maxBytes } = this.job;
    if (bytes > maxBytes) throw new Final(`the file is above the limit of ${maxBytes} bytes`);
  }

  async #needSpace(): Promise<void> {
    const missing = (this.#mark.total ?? this.file.size) - this.file.size;
    const { free } = await (this.job.readStorage ?? readStorage)(dirname(this.job.file));
    if (free < missing + RESERVE_BYTES) {
      throw new Final(
        `there is no room: the file needs ${missing} bytes beside a reserve of ${RESERVE_BYTES}, and ${free} are free`,
      );
    }
  }
}

function authorization({ authenticationType, options = {} }: OsUpdate): { authorization?: string } {
  if (authenticationType !== 'BASIC') return {};
  const text = Buffer.from(`${options.username ?? ''}:${options.password ?? ''}`).toString(
    'base64',
  );
  return { authorization: `Basic ${text}` };
}

function redirected(from: URL, location: string | undefined): URL {
  if (location === undefined || !URL.canParse(location, from)) {
    throw new Final('the server redirects to nowhere');
  }
  const to = new URL(location, from);
  const allowed = from.protocol === 'https:' ? ['https:'] : ['http:', 'https:'];
  if (!allowed.includes(to.protocol)) {
    throw new Final(`the server redirects from ${from.protocol} to ${to.protocol}`);
  }
  // Node would send them as a login of its own making.
  to.username = '';
  to.password = '';
  return to;
}

function refusal(status: number, headers: Dispatcher.ResponseData['headers']): Error {
  const text = `the server answers with status ${status}`;
  if (status >= 500 || [408, 425, 429].includes(status)) {
    return new Unsuccessful(text, retryAfterMs(headers));
  }
  return new Final(text);
}

/** Certificates that are not right now will not be in a minute; but a clock may be set. */
const CERTIFICATE_ERRORS =
  /^(ERR_TLS_CERT_ALTNAME_INVALID|CERT_HAS_EXPIRED|CERT_REVOKED|CERT_UNTRUSTED|CERT_SIGNATURE_FAILURE|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_\w+)$/;

function isFinal(error: unknown): boolean {
  if (error instanceof Final) return true;
  const code = codeOf(error);
  return CERTIFICATE_ERRORS.test(code) || ['ENOSPC', 'EDQUOT', 'EROFS', 'EACCES'].includes(code);
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? '';
}

function describe(error: unknown): string {
  const message = errorMessage(error);
  const code = codeOf(error);
  if (message === '') return code === '' ? 'the connection failed' : code;
  return code === '' || message.includes(code) ? message : `${message} (${code})`;
}
