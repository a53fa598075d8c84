/**
 * Loads the files of a bundle with what V8 compiled of them at an earlier start, which is a third of
 * the time of a start. That code is kept in a folder for each build of the bundle and each program of
 * Node.js with its options; what is missing or does not fit is compiled as ever.
 *
 * V8 believes the code that it is given: with that of another build of Node.js, though of the same version,
 * a process ends by a signal. So each start leaves a mark until it has come through, and the code that a
 * start did not come through with is removed by the next.
 *
 * Only this file may be here before a service knows that its starter is gone: it loads nothing of them.
 */
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { delimiter, dirname, join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { cachedDataVersionTag } from 'node:v8';
import { Script } from 'node:vm';
import { crc32 } from 'node:zlib';

/** Of the files that are bundled; the bundler puts it in. */
declare const BUNDLE_ID: string;

/** By then a service has loaded what it starts with, and V8 has compiled what that needs. */
const KEEP_AFTER_MS = 5000;
/** In front of the code: its checksum. V8 looks at none. */
const HEADER_BYTES = 4;
/** Of a start that uses kept code: MARK and the number of the process. */
const MARK = 'starting.';
/** Of one build of the bundle; who changes options or Node.js more often compiles again. */
const MOST_FOLDERS = 8;
const BEGIN = '(function (exports, require, module, __filename, __dirname) {';

type Compiled = (
  exports: unknown,
  require: (name: string) => unknown,
  module: { exports: unknown },
  filename: string,
  dirname: string,
) => void;

const FILES = dirname(fileURLToPath(import.meta.url));
const requireOfNode = createRequire(import.meta.url);

/**
 * Runs a program of the bundle.
 * @param program Its file in the folder of this one, such as 'cli-main.js'.
 */
export function run(program: string): void {
  // Source maps are for files that node loads itself.
  if (process.sourceMapsEnabled === true) requireOfNode(`./${program}`);
  else new Files(codeFolder()).load(program);
}

/** Systemd says where a service may keep such things; a checkout has them beside the bundle. */
function codeFolder(): string {
  const given = process.env.CACHE_DIRECTORY?.split(delimiter)[0] ?? join(FILES, '..');
  const { size, mtimeMs } = statSync(process.execPath);
  const program = `${process.version} ${process.arch} ${size} ${mtimeMs} ${cachedDataVersionTag()}`;
  return join(given, 'code', `${BUNDLE_ID}-${crc32(program).toString(16)}`);
}

class Files {
  readonly #codeFolder: string;
  readonly #mayRead: boolean;
  readonly #loaded = new Map<string, { exports: unknown }>();
  readonly #compiled = new Map<string, Script>();
  readonly #require = (name: string) =>
    name.startsWith('./') ? this.load(name.slice(2)) : requireOfNode(name);

  constructor(folder: string) {
    this.#codeFolder = folder;
    this.#mayRead = isOurs(folder) && comesThrough(folder);
    setTimeout(() => void this.#keep(), KEEP_AFTER_MS).unref();
  }

  load(name: string): unknown {
    const known = this.#loaded.get(name);
    if (known !== undefined) return known.exports;
    const module = { exports: {} };
    // Before it runs: files may need each other.
    this.#loaded.set(name, module);
    const path = join(FILES, name);
    const run = this.#compile(name, path).runInThisContext() as Compiled;
    run.call(module.exports, module.exports, this.#require, module, path, FILES);
    return module.exports;
  }

  #compile(name: string, path: string): Script {
    const cachedData = this.#mayRead ? readCode(join(this.#codeFolder, name)) : undefined;
    // The bundler writes nothing but ASCII.
    const source = `${BEGIN}${readFileSync(path, 'latin1')}\n})`;
    const script = new Script(source, {
      filename: path,
      columnOffset: -BEGIN.length,
      ...(cachedData && { cachedData }),
    });
    if (cachedData === undefined || script.cachedDataRejected === true) {
      this.#compiled.set(name, script);
    }
    return script;
  }

  /** Where it cannot be written (a program that is installed, a full disk) every start compiles. */
  async #keep(): Promise<void> {
    const scripts = [...this.#compiled];
    this.#compiled.clear();
    if (scripts.length === 0) return;
    try {
      await mkdir(this.#codeFolder, { recursive: true, mode: 0o700 });
      if (!isOurs(this.#codeFolder)) return;
      await this.#removeOfOtherBuilds();
      for (const [name, script] of scripts) {
        await writeCode(join(this.#codeFolder, name), script.createCachedData());
        // One file in a turn of the loop.
        await setImmediate();
      }
    } catch {
      // Nothing is lost but time.
    }
  }

  async #removeOfOtherBuilds(): Promise<void> {
    const folder = dirname(this.#codeFolder);
    const names = await readdir(folder);
    const ours = names.filter((name) => name.startsWith(`${BUNDLE_ID}-`));
    const ages = new Map<string, number>();
    for (const name of ours) ages.set(name, (await stat(join(folder, name))).mtimeMs);
    ours.sort((one, other) => (ages.get(other) ?? 0) - (ages.get(one) ?? 0));
    const kept = ours.slice(0, MOST_FOLDERS);
    for (const name of names.filter((each) => !kept.includes(each))) {
      await rm(join(folder, name), { recursive: true, force: true });
    }
  }
}

/** Code is believed: nobody else may be able to write it. */
function isOurs(folder: string): boolean {
  try {
    const { uid, mode } = statSync(folder);
    return uid === process.geteuid?.() && (mode & 0o022) === 0;
  } catch {
    return false;
  }
}

/**
 * Marks that this process starts with the code of a folder, until it has run for a while or has ended
 * in order.
 * @returns false if another start ended by a signal meanwhile: the folder is removed.
 */
function comesThrough(folder: string): boolean {
  try {
    const marks = readdirSync(folder).filter((name) => name.startsWith(MARK));
    if (marks.some((name) => !isRunning(Number(name.slice(MARK.length))))) {
      rmSync(folder, { recursive: true });
      return false;
    }
    const mark = join(folder, `${MARK}${process.pid}`);
    writeFileSync(mark, '', { mode: 0o600 });
    const through = () => {
      clearTimeout(timer);
      process.off('exit', through);
      rmSync(mark, { force: true });
    };
    const timer = setTimeout(through, KEEP_AFTER_MS).unref();
    process.on('exit', through);
    return true;
  } catch {
    // What cannot be marked is not used.
    return false;
  }
}

/** @param pid Our own is that of a process before this one. */
function isRunning(pid: number): boolean {
  if (pid === process.pid) return false;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function readCode(path: string): Buffer | undefined {
  try {
    const kept = readFileSync(path);
    const code = kept.subarray(HEADER_BYTES);
    return kept.readUInt32LE(0) === crc32(code) ? code : undefined;
  } catch {
    return undefined;
  }
}

/** Whole or not at all, at whatever moment the power goes. */
async function writeCode(path: string, code: Buffer): Promise<void> {
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt32LE(crc32(code));
  // One name for all who write it: what a kill leaves is written over.
  const made = `${path}.new`;
  const file = await open(made, 'w', 0o600);
  try {
    await file.writev([header, code]);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(made, path);
}
