/** A file that is being downloaded: its bytes, their SHA-256, and how many are surely on the disk. */
import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';

export class PartialFile {
  readonly #file: FileHandle;
  #hash: Hash;
  #size: number;

  /** @param keep Bytes of an earlier part that count; the rest of it is cut off. */
  static async open(path: string, keep: number): Promise<PartialFile> {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const file = await open(path, keep > 0 ? 'r+' : 'w+', 0o600).catch((error) => {
      if (error.code === 'ENOENT') return open(path, 'w+', 0o600);
      throw error;
    });
    try {
      const size = Math.min(keep, (await file.stat()).size);
      await file.truncate(size);
      const hash = createHash('sha256');
      if (size > 0) {
        const stream = createReadStream(path, { end: size - 1 });
        for await (const chunk of stream) hash.update(chunk as Buffer);
      }
      return new PartialFile(file, hash, size);
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  private constructor(file: FileHandle, hash: Hash, size: number) {
    this.#file = file;
    this.#hash = hash;
    this.#size = size;
  }

  get size(): number {
    return this.#size;
  }

  async append(bytes: Uint8Array): Promise<void> {
    let done = 0;
    while (done < bytes.length) {
      const { bytesWritten } = await this.#file.write(bytes, done, bytes.length - done, this.#size);
      this.#hash.update(bytes.subarray(done, done + bytesWritten));
      this.#size += bytesWritten;
      done += bytesWritten;
    }
  }

  async restart(): Promise<void> {
    if (this.#size === 0) return;
    await this.#file.truncate(0);
    this.#hash = createHash('sha256');
    this.#size = 0;
  }

  /** Everything so far survives a power cut. */
  async flush(): Promise<void> {
    await this.#file.sync();
  }

  sha256(): Buffer {
    return this.#hash.copy().digest();
  }

  async close(): Promise<void> {
    await this.#file.close();
  }
}
