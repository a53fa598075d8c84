/**
 * Loads the files of a bundle with what V8 compiled of them at an earlier start, which is a third of
 * the time of a start. That code is kept in a folder for each build of the bundle, each build of Node.js and
 * each form of V8 (options, kind of processor); what is missing or does not fit is compiled as ever.
 *
 * Only this file may be here before a service knows that its starter is gone: it loads nothing of them.
 */
import { readFileSync, statSync } from 'node:fs';
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises';
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
/** In front of the code: its checksum. V8 believes that the code it is given is whole. */
const HEADER_BYTES = 4;
const BEGIN = '(function (exports, require, module, __filename, __dirname) {';

type Compiled = (
  exports: unknown,
  require: (name: string) => unknown,
  module: { exports: unknown },
  filename: string,
  dirname: string,
) => void;

const FILES = dirname(fileURLToPath(import.meta.url));
const BUILDS = `${BUNDLE_ID}-${buildOfNode()}-`;
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
  return join(given, 'code', `${BUILDS}${cachedDataVersionTag().toString(16)}`);
}

/**
 * V8's tag is the same for all versions of a line of Node.js, but kept code refers to what the program of
 * Node.js was built with: with that of another build it ends the process with a fault of the memory.
 */
function buildOfNode(): string {
  const { version, versions, execPath } = process;
  const { size, mtimeMs } = statSync(execPath);
  return crc32([version, versions.v8, size, mtimeMs].join(' ')).toString(16);
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
    this.#mayRead = isOurs(folder);
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
    for (const name of await readdir(folder)) {
      if (!name.startsWith(BUILDS)) await rm(join(folder, name), { recursive: true });
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
  const made = `${path}.${process.pid}`;
  const file = await open(made, 'w', 0o600);
  try {
    await file.writev([header, code]);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(made, path);
}
