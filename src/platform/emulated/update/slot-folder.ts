/** A slot of the emulated device: a folder with the images of its version, and what they are. */
import { statSync } from 'node:fs';
import { mkdir, open, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { readJsonFile, writeJsonFile } from '../../../shared/atomic-file.js';
import { problemsOf } from '../checked.js';
import { Manifest } from './manifest.js';

/** slot.json is written last: a slot without it is none. */
const FILE = 'slot.json';

export class SlotFolder {
  constructor(readonly path: string) {}

  /** What is installed; undefined: nothing, or it is not whole. */
  async read(): Promise<Manifest | undefined> {
    try {
      const value = await readJsonFile(this.file);
      if (value === undefined || problemsOf(Manifest, value).length > 0) return undefined;
      const manifest = value as Manifest;
      const isWhole = manifest.payloads.every(
        ({ file, size }) => statSync(join(this.path, file)).size === size,
      );
      return isWhole ? manifest : undefined;
    } catch {
      return undefined;
    }
  }

  async clear(): Promise<void> {
    await rm(this.path, { recursive: true, force: true });
    await mkdir(this.path, { recursive: true, mode: 0o700 });
    const parent = await open(dirname(this.path), 'r');
    try {
      await parent.sync();
    } finally {
      await parent.close();
    }
  }

  /** Once all images are written and flushed. */
  async complete(manifest: Manifest): Promise<void> {
    await writeJsonFile(this.file, manifest);
  }

  /** That says what is in it. */
  get file(): string {
    return join(this.path, FILE);
  }

  imagePath(file: string): string {
    return join(this.path, file);
  }
}
