/**
 * Certificates and keys in files that a client names by their path. They are taken below named folders
 * only, and never out of the files of the reader itself. Of everything else one text is said, whether
 * it is there or not.
 */
import { realpath } from 'node:fs/promises';
import { join, normalize, relative, sep } from 'node:path';
import type { PlatformName } from '../../platform/platform-name.js';
import { NotAFile, readNamedFile } from '../../shared/named-file.js';

/** Where the certificates of a Linux system are, and those that its owner lays down for the reader. */
export const SYSTEM_FOLDERS: readonly string[] = [
  '/etc/singulate/certificates',
  '/etc/ssl/certs',
  '/etc/pki',
  '/usr/share/ca-certificates',
  '/usr/local/share/ca-certificates',
  '/readerconfig/ssl',
];

/**
 * Where nobody says otherwise: on a reader those of the system; an emulated one is a program on
 * somebody's machine, whose certificates are anywhere.
 */
export function defaultFolders(platform: PlatformName = 'emulated'): readonly string[] {
  return platform === 'emulated' ? ['/'] : SYSTEM_FOLDERS;
}

/** Of the state folder: what was installed, and the certificate that the reader shows to everybody. */
const OPEN_STATE = ['certificates', join('tls', 'cert.pem')];

/** What goes wrong with a file that a client named; the message says nothing of others. */
export class NamedFileRefused extends Error {
  constructor(
    message: string,
    /** As the client wrote it. */
    readonly path: string,
  ) {
    super(message);
  }
}

export class NamedFiles {
  readonly #stateDir: string;
  readonly #folders: readonly string[];

  /** @param folders Absolute; '/' is everything but the reader's own. */
  constructor(stateDir: string, folders: readonly string[] = ['/']) {
    this.#stateDir = stateDir;
    this.#folders = folders;
  }

  /**
   * @param path Absolute.
   * @returns A text in PEM.
   * @throws NamedFileRefused
   */
  async read(path: string, maxBytes: number): Promise<Buffer> {
    const refusal = new NamedFileRefused(this.#refusal(), path);
    // A NUL ends a path for the system, but not for the rules here.
    if (path.includes('\0')) throw refusal;
    const real = await realpath(path).catch(() => undefined);
    // Links count by where they lead to; a folder may be one itself (that of the state, say).
    if (real === undefined || !(await this.#isOpen(real))) throw refusal;
    try {
      const bytes = await readNamedFile(real, maxBytes);
      if (bytes.includes('-----BEGIN ')) return bytes;
      throw new NotAFile('is not a file in PEM');
    } catch (error) {
      if (!(await this.#isSpoken(path))) throw refusal;
      const { code } = error as NodeJS.ErrnoException;
      const message = error instanceof NotAFile ? error.message : `cannot be read: ${code}`;
      throw new NamedFileRefused(message, path);
    }
  }

  async #isOpen(real: string): Promise<boolean> {
    const own = below(real, await realOf(this.#stateDir));
    if (own !== undefined)
      return OPEN_STATE.some((open) => below(own, open) !== undefined) || isLaid(own);
    return this.#isInFolders(real);
  }

  async #isInFolders(real: string): Promise<boolean> {
    for (const folder of this.#folders) {
      if (below(real, await realOf(folder)) !== undefined) return true;
    }
    return false;
  }

  /** Who named the folders knows what is in them; if everything is one, that is no reason to tell. */
  async #isSpoken(path: string): Promise<boolean> {
    const named = this.#folders.filter((folder) => folder !== sep);
    return [...named, ...SYSTEM_FOLDERS].some(
      (folder) => below(normalize(path), folder) !== undefined,
    );
  }

  #refusal(): string {
    const named = this.#folders.filter((folder) => folder !== sep);
    const where =
      named.length === 0
        ? ''
        : `, below ${[join(this.#stateDir, 'certificates'), ...named].join(', ')}`;
    return `does not name a file in PEM that this reader takes${where}`;
  }
}

/** A certificate that somebody laid right into the state folder. The reader's own files are called otherwise. */
function isLaid(own: string): boolean {
  return !own.includes(sep) && /\.(pem|crt|cer|key)$/.test(own);
}

/** @returns What is left of the path; undefined: it is not below the folder. */
function below(path: string, folder: string): string | undefined {
  const rest = relative(folder, path);
  return rest === '..' || rest.startsWith(`..${sep}`) ? undefined : rest;
}

async function realOf(path: string): Promise<string> {
  return realpath(path).catch(() => normalize(path));
}
