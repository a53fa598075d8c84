/** The command line, environment and limits of an application. */
import type { SpawnOptions } from 'node:child_process';
import { join } from 'node:path';
import type { AppPaths } from './folders.js';
import { type AppManifest, programOf } from './manifest.js';
import { findProgram } from './programs.js';

export interface Launch {
  file: string;
  args: string[];
  options: SpawnOptions;
}

const MEMORY_MB = 256;
const PROCESSES = 64;
const OPEN_FILES = 256;
const FILE_MB = 256;

/** @param folder Of the version. @throws INVALID if its program is not there any more. */
export async function launchOf(
  manifest: AppManifest,
  folder: string,
  paths: AppPaths,
  uid: number | undefined,
): Promise<Launch> {
  const program = await programOf(manifest, folder);
  const [file = program, ...args] = [
    ...wrapper(manifest, uid),
    program,
    ...manifest.start.slice(1).map((argument) => inPackage(argument, folder)),
  ];
  return {
    file,
    args,
    options: {
      cwd: paths.data,
      env: environment(manifest.name, folder, paths),
      stdio: ['ignore', 'pipe', 'pipe'],
      // A session of its own: everything it starts can be ended with it.
      detached: true,
      ...(uid === undefined ? {} : { uid, gid: uid }),
    },
  };
}

/** Programs run in the working folder; `./main.mjs` means the one of the package all the same. */
function inPackage(argument: string, folder: string): string {
  return argument.startsWith('./') ? join(folder, argument) : argument;
}

function environment(name: string, folder: string, paths: AppPaths): Record<string, string> {
  const { TZ } = process.env;
  return {
    PATH: '/usr/local/bin:/usr/bin:/bin',
    LANG: 'C.UTF-8',
    HOME: paths.data,
    TMPDIR: paths.tmp,
    ...(TZ === undefined ? {} : { TZ }),
    SINGULATE_APP_NAME: name,
    SINGULATE_APP_DIR: folder,
    SINGULATE_APP_DATA: paths.data,
    SINGULATE_APP_SOCKET: paths.socket,
  };
}

/** Programs that set limits and then become the application; no shell is between. */
function wrapper(manifest: AppManifest, uid: number | undefined): string[] {
  const setpriv = findProgram('setpriv');
  const prlimit = findProgram('prlimit');
  return [
    // What it starts cannot become more than it is, whatever bits a program has.
    ...(setpriv === undefined ? [] : [setpriv, '--no-new-privs', '--']),
    ...(prlimit === undefined ? [] : [prlimit, ...limitArguments(manifest, uid), '--']),
  ];
}

function limitArguments(manifest: AppManifest, uid: number | undefined): string[] {
  const { memoryMb = MEMORY_MB, processes = PROCESSES, openFiles = OPEN_FILES } = manifest;
  return [
    // Memory that is really written to. The address space says nothing: Node.js reserves gigabytes.
    `--data=${memoryMb * 1024 * 1024}`,
    `--nofile=${openFiles}`,
    `--fsize=${FILE_MB * 1024 * 1024}`,
    '--core=0',
    // The kernel counts all processes of a user: without one of its own, the limit would hit others.
    ...(uid === undefined ? [] : [`--nproc=${processes}`]),
  ];
}

export function limitsText(manifest: AppManifest, uid: number | undefined): string {
  if (findProgram('prlimit') === undefined) return 'none: this machine has no prlimit';
  const { memoryMb = MEMORY_MB, processes = PROCESSES, openFiles = OPEN_FILES } = manifest;
  const count = uid === undefined ? '' : `, ${processes} processes and threads`;
  return `${memoryMb} MB for each process${count}, ${openFiles} open files, files of ${FILE_MB} MB`;
}
