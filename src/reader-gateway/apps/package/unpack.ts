/** Writes the entries of an archive into a new folder, where nobody else writes. */
import { link, mkdir, open, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ReadEntry } from 'tar';
import { checkSymlink, cleanPath, kindOf } from './entry-rules.js';
import type { PackageLimits } from './limits.js';
import { packageError } from './package-error.js';

export class Unpacker {
  readonly #folder: string;
  readonly #limits: PackageLimits;
  /** Everything there is, by its path below the folder. */
  readonly #known = new Map<string, 'file' | 'folder' | 'symlink'>([['', 'folder']]);
  readonly #symlinks: { path: string; target: string }[] = [];

  constructor(folder: string, limits: PackageLimits) {
    this.#folder = folder;
    this.#limits = limits;
  }

  /** @throws INVALID */
  async take(entry: ReadEntry): Promise<void> {
    const kind = kindOf(entry.type, entry.path, entry.mode ?? 0);
    const path = cleanPath(entry.path, this.#limits);
    if (kind === 'folder') {
      await this.#makeFolders(path);
      await this.#skip(entry);
      return;
    }
    if (path === '') throw packageError('has no name', entry.path);
    if (this.#known.has(path)) throw packageError('is there twice', path);
    const parent = dirname(path);
    await this.#makeFolders(parent === '.' ? '' : parent);
    if (kind === 'file') {
      this.#add(path, 'file');
      await this.#write(path, entry, ((entry.mode ?? 0) & 0o111) !== 0);
      return;
    }
    const target = entry.linkpath ?? '';
    if (kind === 'hardlink') {
      const from = cleanPath(target, this.#limits);
      if (this.#known.get(from) !== 'file') {
        throw packageError(`is a link to ${target}, which is no file before it`, path);
      }
      this.#add(path, 'file');
      await link(join(this.#folder, from), join(this.#folder, path));
    } else {
      checkSymlink(path, target);
      this.#add(path, 'symlink');
      this.#symlinks.push({ path, target });
    }
    await this.#skip(entry);
  }

  /** Links come last: until then no path can lead through one. */
  async finish(): Promise<void> {
    for (const { path, target } of this.#symlinks) {
      await symlink(target, join(this.#folder, path));
    }
  }

  async #write(path: string, entry: ReadEntry, executable: boolean): Promise<void> {
    const file = await open(join(this.#folder, path), 'wx', 0o600);
    try {
      for await (const chunk of entry) await file.writeFile(chunk as Uint8Array);
      // Of the mode only this is taken; the umask has no say.
      await file.chmod(executable ? 0o755 : 0o644);
      await file.sync();
    } finally {
      await file.close();
    }
  }

  async #makeFolders(path: string): Promise<void> {
    let folder = '';
    for (const part of path === '' ? [] : path.split('/')) {
      folder = folder === '' ? part : `${folder}/${part}`;
      const known = this.#known.get(folder);
      if (known === 'folder') continue;
      if (known !== undefined) throw packageError('is a folder and something else', folder);
      this.#add(folder, 'folder');
      await mkdir(join(this.#folder, folder), { mode: 0o755 });
    }
  }

  #add(path: string, what: 'file' | 'folder' | 'symlink'): void {
    if (this.#known.size > this.#limits.maxEntries) {
      throw packageError(`it has more than ${this.#limits.maxEntries} files, folders and links`);
    }
    this.#known.set(path, what);
  }

  async #skip(entry: ReadEntry): Promise<void> {
    for await (const _chunk of entry) {
      // Links and folders have no content; if they had, nobody would want it.
    }
  }
}
