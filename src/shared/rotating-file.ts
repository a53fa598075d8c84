/**
 * A file of lines that is bounded: when it is full it becomes NAME.1, that before NAME.2 and so on,
 * and the last one goes. A write only keeps the line; whole batches are written in the background,
 * so a slow disk holds up nobody. What finds no room is lost, counted, and told in the file itself.
 */
import { appendFileSync, mkdirSync } from 'node:fs';
import { type FileHandle, mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

export interface RotatingFileOptions {
  path: string;
  /** Of one file. */
  maxBytes: number;
  /** Files in all, the one that is written included; at least 1. */
  files: number;
  /** The line that tells a loss, without its end. */
  lossLine(lost: number): string;
  /** Bytes that may wait for the disk. */
  maxWaitingBytes?: number;
}

/** A group may read along: where it may enter the folder, it is that of the services. */
const FILE_MODE = 0o640;
/** Lines wait at most this long for others. */
const COLLECT_MS = 250;
const MAX_WAITING_BYTES = 512 * 1024;

export class RotatingFile {
  readonly #options: RotatingFileOptions;
  readonly #maxWaitingBytes: number;
  #waiting: string[] = [];
  #waitingBytes = 0;
  #lost = 0;
  /** Losses that the file does not tell yet. */
  #untold = 0;
  #handle: FileHandle | undefined;
  #bytes = 0;
  #timer: NodeJS.Timeout | undefined;
  #last: Promise<void> = Promise.resolve();

  constructor(options: RotatingFileOptions) {
    this.#options = options;
    this.#maxWaitingBytes = options.maxWaitingBytes ?? MAX_WAITING_BYTES;
  }

  /** Lines lost so far. */
  get lost(): number {
    return this.#lost;
  }

  /** @param line Ends with a line end. */
  write(line: string): void {
    const bytes = Buffer.byteLength(line);
    if (this.#waitingBytes + bytes > this.#maxWaitingBytes) {
      this.#lose(1);
      return;
    }
    this.#waiting.push(line);
    this.#waitingBytes += bytes;
    this.#timer ??= setTimeout(() => void this.flush(), COLLECT_MS).unref();
  }

  /** Resolves when all lines so far are in the file, or lost. Never rejects. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#last = this.#last.then(() => this.#writeWaiting());
    return this.#last;
  }

  /** For the end of the process: what waits goes into the file at once, whatever its size. */
  flushSync(): void {
    clearTimeout(this.#timer);
    const lines = this.#take();
    if (lines.length === 0) return;
    try {
      mkdirSync(dirname(this.#options.path), { recursive: true, mode: 0o700 });
      appendFileSync(this.#options.path, lines.join(''), { mode: FILE_MODE });
    } catch {
      // The process ends: there is nobody left to tell.
    }
  }

  async close(): Promise<void> {
    await this.flush();
    await this.#closeFile();
  }

  #lose(lines: number): void {
    this.#lost += lines;
    this.#untold += lines;
    this.#timer ??= setTimeout(() => void this.flush(), COLLECT_MS).unref();
  }

  #take(): string[] {
    const lines = this.#waiting;
    if (this.#untold > 0) lines.push(`${this.#options.lossLine(this.#untold)}\n`);
    this.#untold = 0;
    this.#waiting = [];
    this.#waitingBytes = 0;
    return lines;
  }

  async #writeWaiting(): Promise<void> {
    const lines = this.#take();
    let next = 0;
    try {
      while (next < lines.length) {
        const handle = await this.#openFile(Buffer.byteLength(lines[next] as string));
        const batch: string[] = [];
        let bytes = 0;
        for (; next + batch.length < lines.length; ) {
          const line = lines[next + batch.length] as string;
          const size = Buffer.byteLength(line);
          if (batch.length > 0 && this.#bytes + bytes + size > this.#options.maxBytes) break;
          batch.push(line);
          bytes += size;
        }
        await handle.appendFile(batch.join(''));
        this.#bytes += bytes;
        next += batch.length;
      }
    } catch {
      // A full disk, or a folder that is gone: the next batch tries again, and tells the loss.
      this.#lost += lines.length - next;
      this.#untold += lines.length - next;
      await this.#closeFile();
    }
  }

  /** The file, with room for so many bytes. */
  async #openFile(room: number): Promise<FileHandle> {
    const { path, maxBytes } = this.#options;
    if (this.#handle !== undefined && !(await this.#isStillThere(this.#handle))) {
      await this.#closeFile();
    }
    this.#handle ??= await this.#open();
    if (this.#bytes > 0 && this.#bytes + room > maxBytes) {
      await this.#closeFile();
      await this.#rotate(path);
      this.#handle = await this.#open();
    }
    return this.#handle;
  }

  /** Somebody may have removed the file: a purge of the log, or an administrator. */
  async #isStillThere(handle: FileHandle): Promise<boolean> {
    const [own, there] = await Promise.all([
      handle.stat(),
      stat(this.#options.path).catch(() => undefined),
    ]);
    return there !== undefined && there.ino === own.ino && there.dev === own.dev;
  }

  async #open(): Promise<FileHandle> {
    await mkdir(dirname(this.#options.path), { recursive: true, mode: 0o700 });
    const handle = await open(this.#options.path, 'a', FILE_MODE);
    this.#bytes = (await handle.stat()).size;
    return handle;
  }

  async #rotate(path: string): Promise<void> {
    const last = this.#options.files - 1;
    if (last === 0) {
      await rm(path, { force: true });
      return;
    }
    for (let number = last; number > 0; number--) {
      const from = number === 1 ? path : `${path}.${number - 1}`;
      await rename(from, `${path}.${number}`).catch(ignoreMissing);
    }
  }

  async #closeFile(): Promise<void> {
    const handle = this.#handle;
    this.#handle = undefined;
    await handle?.close().catch(() => {});
  }
}

function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error;
}
