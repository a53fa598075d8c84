/** Fetches a large file over HTTP or HTTPS, on and on from where it broke off. */
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { readStorage } from '../../platform/storage.js';
import type { Logger } from '../../shared/log.js';
import { OS_UPDATE_LIMITS, type OsUpdate } from '../api/os-update.js';
import type { NamedFiles } from '../tls/named-files.js';
import { httpRefusal } from './fetch-fault.js';
import { requestHeaders } from './fetch-request.js';
import { FetchProblem, shownUrl } from './fetch-source.js';
import { contentLength, contentRange, digestOf, validatorOf } from './http-answer.js';
import { askHttp, type HttpAnswer } from './http-request.js';
import { needPlain, needRoom, needSize } from './large-file.js';
import { PartialFile } from './partial-file.js';
import type { Reach } from './reach.js';
import { Retries, retryPolicy } from './retries.js';
import { type ServerTrust, serverTrust } from './server-trust.js';

/** What is known of a file that is not whole yet; survives a restart. */
export interface FetchMark {
  /** Surely on the disk. */
  bytes: number;
  /** The server's name of this very content; undefined: it must begin again. */
  validator?: string;
  total?: number;
}

export interface ResumedFetchJob {
  request: OsUpdate;
  file: string;
  mark: FetchMark;
  maxBytes: number;
  signal: AbortSignal;
  files: NamedFiles;
  reach: Reach;
  log: Logger;
  /** The mark has moved: to be kept. */
  onMark(mark: FetchMark): Promise<void>;
  onProgress(done: number, total: number | undefined): void;
  /** Space of the file system that holds a path; tests bring their own. */
  readStorage?: typeof readStorage;
}

const FLUSH_BYTES = 8 * 1024 * 1024;

/** @returns SHA-256 of the file, in hexadecimal. @throws if the file cannot be had. */
export async function resumedFetch(job: ResumedFetchJob): Promise<string> {
  const { request, log, signal } = job;
  const trust = await serverTrust(request, job.files);
  const resumable = job.mark.validator !== undefined;
  const file = await PartialFile.open(job.file, resumable ? job.mark.bytes : 0);
  const retries = new Retries(retryPolicy(request, OS_UPDATE_LIMITS));
  const run = new Run(job, trust, file);
  try {
    for (;;) {
      try {
        return await run.once();
      } catch (error) {
        signal.throwIfAborted();
        if (!(error instanceof FetchProblem) || !error.passing) throw error;
        const waitMs = retries.next(error.askedMs);
        if (waitMs === undefined) throw new Error(`given up: ${error.message}`);
        const url = shownUrl(request.url);
        log.warn({ url, reason: error.message, waitMs }, 'download broke off');
        await sleep(waitMs, undefined, { signal });
      }
    }
  } finally {
    await file.close();
  }
}

class Run {
  #mark: FetchMark;
  #digest: string | undefined;

  constructor(
    private readonly job: ResumedFetchJob,
    private readonly trust: ServerTrust,
    private readonly file: PartialFile,
  ) {
    this.#mark = { ...job.mark, bytes: file.size };
  }

  /** One try. */
  async once(): Promise<string> {
    const { request, signal, reach } = this.job;
    const { timeouts } = OS_UPDATE_LIMITS;
    const { connection = timeouts.connection, read = timeouts.read } = request.timeouts ?? {};
    const { validator } = this.#mark;
    const resume = validator !== undefined && this.file.size > 0;
    const range = resume ? { range: `bytes=${this.file.size}-`, 'if-range': validator } : {};
    await askHttp(
      {
        url: request.url,
        secretHeaders: requestHeaders(request),
        headers: { 'accept-encoding': 'identity', ...range },
        tls: this.trust,
        connectMs: connection * 1000,
        readMs: read * 1000,
        followsRedirects: true,
        signal,
        reach,
      },
      (answer) => this.#answer(answer, resume),
    );
    return this.#finish();
  }

  async #answer(answer: HttpAnswer, resume: boolean): Promise<void> {
    const { statusCode, headers, body } = answer;
    // An error page may come as it likes.
    if (statusCode < 300) needPlain(answer);
    if (resume && statusCode === 206) await this.#goOn(headers);
    else if (statusCode === 200) await this.#beginAgain(headers);
    // Nothing is after our last byte: the file has changed, or we had it all.
    else if (resume && statusCode === 416) {
      if (this.file.size === this.#mark.total) return;
      await this.#forget();
      throw passing('the file on the server has changed');
    } else throw httpRefusal(answer);
    await this.#needSpace();
    await this.#take(body);
  }

  async #goOn(headers: HttpAnswer['headers']): Promise<void> {
    const { total: known } = this.#mark;
    const range = contentRange(headers);
    const total = range?.total ?? known;
    if (range?.first !== this.file.size || (known !== undefined && total !== known)) {
      await this.#forget();
      throw passing('the server goes on with something else than was asked for');
    }
    if (total !== undefined) this.#mark = { ...this.#mark, total };
    this.#digest ??= digestOf(headers);
  }

  async #beginAgain(headers: HttpAnswer['headers']): Promise<void> {
    await this.file.restart();
    this.#digest = digestOf(headers);
    const validator = validatorOf(headers);
    const total = contentLength(headers);
    this.#mark = {
      bytes: 0,
      ...(validator === undefined ? {} : { validator }),
      ...(total === undefined ? {} : { total }),
    };
    needSize(total ?? 0, this.job.maxBytes);
    await this.job.onMark(this.#mark);
  }

  async #forget(): Promise<void> {
    await this.file.restart();
    this.#mark = { bytes: 0 };
    await this.job.onMark(this.#mark);
  }

  async #take(body: HttpAnswer['body']): Promise<void> {
    const { onProgress, onMark, maxBytes } = this.job;
    for await (const chunk of body as AsyncIterable<Buffer>) {
      needSize(this.file.size + chunk.length, maxBytes);
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
      throw passing(`the connection closed after ${size} of ${total} bytes`);
    }
    const sha256 = this.file.sha256();
    if (this.#digest !== undefined && this.#digest !== sha256.toString('base64')) {
      await this.#forget();
      throw passing('the file is not what its digest in the answer says');
    }
    await this.file.flush();
    await this.job.onMark({ ...this.#mark, bytes: size, total: size });
    return sha256.toString('hex');
  }

  async #needSpace(): Promise<void> {
    const missing = (this.#mark.total ?? this.file.size) - this.file.size;
    await needRoom(missing, { ...this.job, folder: dirname(this.job.file) });
  }
}

function passing(message: string): FetchProblem {
  return new FetchProblem('url', message, true);
}
