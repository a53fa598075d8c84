/** Where the files of applications lie, and who may pass. */
import { randomBytes } from 'node:crypto';
import { chmod, chown, mkdir, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';

export interface AppPaths {
  root: string;
  /** One folder for each version; there are two while one replaces the other. */
  versions: string;
  /** Working folder: the application's own, kept when it is replaced. */
  data: string;
  tmp: string;
  socket: string;
  log: string;
  run: string;
}

export class AppFolders {
  readonly #stateDir: string;
  readonly base: string;
  readonly #installed: string;
  readonly #staging: string;
  /** What is not installed any more, and goes. */
  readonly #removed: string;

  constructor(stateDir: string) {
    this.#stateDir = stateDir;
    this.base = join(stateDir, 'apps');
    this.#installed = join(this.base, 'installed');
    this.#staging = join(this.base, 'staging');
    this.#removed = join(this.base, 'removed');
  }

  of(name: string): AppPaths {
    const root = join(this.#installed, name);
    return {
      root,
      versions: join(root, 'versions'),
      data: join(root, 'data'),
      tmp: join(root, 'tmp'),
      socket: join(root, 'socket'),
      log: join(root, 'log', 'app.log'),
      run: join(root, 'run.json'),
    };
  }

  newVersion(): string {
    return randomBytes(6).toString('hex');
  }

  /** A place beside the installed ones: what is whole there is only renamed. */
  async stage(): Promise<string> {
    await mkdir(this.#staging, { recursive: true, mode: 0o700 });
    return mkdtemp(join(this.#staging, 'package-'));
  }

  /** Makes the folders of an application. @param uid Of its own user, if it has one. */
  async prepare(name: string, uid: number | undefined): Promise<AppPaths> {
    const paths = this.of(name);
    for (const folder of [this.base, this.#installed, paths.root, paths.versions]) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
    }
    await mkdir(dirname(paths.log), { recursive: true, mode: 0o700 });
    // Beside each other: what lies in a folder of the application may be a link of its making, and
    // the service would hand over whatever it leads to.
    for (const folder of [paths.data, paths.tmp]) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      if (uid !== undefined) await chown(folder, uid, uid);
    }
    if (uid !== undefined) await this.#letPass(paths, uid);
    return paths;
  }

  /** A folder on the way that other users cannot pass; undefined if there is none. */
  async barrier(): Promise<string | undefined> {
    for (let folder = dirname(this.#stateDir); ; folder = dirname(folder)) {
      if (((await stat(folder)).mode & 0o001) === 0) return folder;
      if (folder === dirname(folder)) return undefined;
    }
  }

  /** Removes what an interrupted installation left; none may be under way. */
  async sweepStaging(): Promise<void> {
    await rm(this.#staging, { recursive: true, force: true });
  }

  /** Removes what is not installed any more. */
  async sweep(installed: ReadonlyMap<string, { version: string }>): Promise<void> {
    await rm(this.#removed, { recursive: true, force: true });
    for (const name of await list(this.#installed)) {
      const record = installed.get(name);
      if (record === undefined) await this.remove(name);
      else await this.keepOnly(name, record.version);
    }
  }

  async keepOnly(name: string, version: string): Promise<void> {
    const { versions } = this.of(name);
    for (const other of await list(versions)) {
      if (other !== version) await rm(join(versions, other), { recursive: true, force: true });
    }
  }

  /**
   * Takes everything of an application away at once, then deletes it. What cannot be deleted counts
   * as nothing's, and goes with the next start.
   */
  async remove(name: string): Promise<void> {
    const { root } = this.of(name);
    await mkdir(this.#removed, { recursive: true, mode: 0o700 });
    const away = join(this.#removed, `${name}-${this.newVersion()}`);
    try {
      await rename(root, away);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
      throw error;
    }
    await rm(away, { recursive: true, force: true });
  }

  /** Users that files belong to which are not deleted yet. */
  async removedUids(): Promise<number[]> {
    const uids: number[] = [];
    for (const name of await list(this.#removed)) {
      const facts = await stat(join(this.#removed, name, 'data')).catch(() => undefined);
      if (facts !== undefined) uids.push(facts.uid);
    }
    return uids;
  }

  /**
   * Users of applications go through these folders to their own, and can list none of them. What
   * else lies in the state folder is shut to them before its door is opened.
   */
  async #letPass({ root, versions }: AppPaths, uid: number): Promise<void> {
    // No other application comes further than here.
    await chown(root, 0, uid);
    await chmod(root, 0o710);
    for (const entry of await readdir(this.#stateDir, { withFileTypes: true })) {
      const path = join(this.#stateDir, entry.name);
      if (path !== this.base && (entry.isFile() || entry.isDirectory())) await shut(path);
    }
    for (const folder of [this.#stateDir, this.base, this.#installed, versions]) {
      const { mode } = await stat(folder);
      if ((mode & 0o001) === 0) await chmod(folder, (mode & 0o7777) | 0o001);
    }
  }
}

async function shut(path: string): Promise<void> {
  try {
    const { mode } = await stat(path);
    if ((mode & 0o007) !== 0) await chmod(path, mode & 0o7770);
  } catch (error) {
    // A temporary file that was renamed meanwhile.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

async function list(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
