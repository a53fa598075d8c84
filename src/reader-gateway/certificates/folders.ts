/**
 * The folders of installed certificates, certificates/TYPE/NAME/. A folder is written aside,
 * flushed, and then takes the place of the old one. Names with "~" are of changes under way:
 *
 * - ~new-RANDOM: being written; worth nothing until it is renamed
 * - ~old-NAME: what NAME was, until its successor is in place
 * - ~gone-RANDOM: deleted, being removed
 * - ~csr-NAME: the key and the request of a certificate that is not there yet
 */
import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import {
  CERTIFICATE_TYPES,
  type CertificateId,
  certificatesFolder,
  isCertificateName,
} from '../tls/certificate-names.js';

/** File names and contents of a folder; undefined: not there. */
export type FolderFiles = Readonly<Record<string, string | undefined>>;

const REQUEST = '~csr-';

export class CertificateFolders {
  readonly #root: string;

  constructor(stateDir: string) {
    this.#root = certificatesFolder(stateDir);
  }

  path({ type, name }: CertificateId): string {
    return join(this.#root, type, name);
  }

  /** Of the key that waits for its certificate. */
  requestPath({ type, name }: CertificateId): string {
    return join(this.#root, type, REQUEST + name);
  }

  /** Puts right what a kill in the middle of a change left behind. */
  recover(): void {
    for (const type of CERTIFICATE_TYPES) {
      const folder = join(this.#root, type);
      for (const entry of entries(folder)) {
        if (entry.startsWith('~old-')) {
          const name = entry.slice('~old-'.length);
          // Its successor was never in place: nobody was told that it is.
          if (!existsSync(join(folder, name))) renameSync(join(folder, entry), join(folder, name));
        }
        if (!/^~(new|old|gone)-/.test(entry)) continue;
        rmSync(join(folder, entry), { recursive: true, force: true });
      }
    }
  }

  list(): CertificateId[] {
    return CERTIFICATE_TYPES.flatMap((type) =>
      entries(join(this.#root, type))
        .filter(isCertificateName)
        .sort()
        .map((name) => ({ type, name })),
    );
  }

  /** Keys that wait for their certificates. */
  countRequests(): number {
    return CERTIFICATE_TYPES.flatMap((type) => entries(join(this.#root, type))).filter((entry) =>
      entry.startsWith(REQUEST),
    ).length;
  }

  has(id: CertificateId): boolean {
    return existsSync(this.path(id));
  }

  write(id: CertificateId, files: FolderFiles): Promise<void> {
    return this.#put(id.type, id.name, files);
  }

  writeRequest({ type, name }: CertificateId, files: FolderFiles): Promise<void> {
    return this.#put(type, REQUEST + name, files);
  }

  remove({ type, name }: CertificateId): Promise<void> {
    return this.#drop(type, name);
  }

  removeRequest({ type, name }: CertificateId): Promise<void> {
    return this.#drop(type, REQUEST + name);
  }

  async #put(type: string, name: string, files: FolderFiles): Promise<void> {
    const parent = join(this.#root, type);
    await mkdir(parent, { recursive: true, mode: 0o700 });
    const fresh = join(parent, `~new-${randomBytes(6).toString('hex')}`);
    const old = join(parent, `~old-${name}`);
    const place = join(parent, name);
    try {
      await mkdir(fresh, { mode: 0o700 });
      for (const [file, content] of Object.entries(files)) {
        if (content !== undefined) await writeFlushed(join(fresh, file), content);
      }
      await flushFolder(fresh);
      // In one turn of the event loop: no reader in this process finds nothing, or half of each.
      rmSync(old, { recursive: true, force: true });
      if (existsSync(place)) renameSync(place, old);
      try {
        renameSync(fresh, place);
      } catch (error) {
        if (existsSync(old)) renameSync(old, place);
        throw error;
      }
    } catch (error) {
      await rm(fresh, { recursive: true, force: true });
      throw error;
    }
    await flushFolder(parent);
    await rm(old, { recursive: true, force: true });
  }

  async #drop(type: string, name: string): Promise<void> {
    const parent = join(this.#root, type);
    const place = join(parent, name);
    if (!existsSync(place)) return;
    const gone = join(parent, `~gone-${randomBytes(6).toString('hex')}`);
    renameSync(place, gone);
    await flushFolder(parent);
    await rm(gone, { recursive: true, force: true });
  }
}

function entries(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

async function writeFlushed(path: string, content: string): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function flushFolder(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
