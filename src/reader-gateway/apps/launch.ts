/** The command line, environment and limits of an application. */
import type { SpawnOptions } from 'node:child_process';
import { dirname, join } from 'node:path';
import type { GroupLimits } from './cgroup.js';
import { codeRangeBytes } from './code-range.js';
import type { AppPaths } from './folders.js';
import type { Launcher } from './launcher.js';
import { type AppManifest, programOf } from './manifest.js';

export interface Launch {
  file: string;
  args: string[];
  options: SpawnOptions;
}

const MB = 1024 * 1024;
const MEMORY_MB = 256;
const PROCESSES = 64;
const OPEN_FILES = 256;
const FILE_MB = 256;
/** Of its own /tmp, which is memory. */
const TMP_MB = 32;

/** Beside it in its group. */
const LAUNCHER_PROCESSES = 2;

export interface LaunchNeeds {
  manifest: AppManifest;
  /** Of the version. */
  folder: string;
  paths: AppPaths;
  /** undefined = that of the service. */
  uid: number | undefined;
  launcher: Launcher;
  /** Control group that it is put into, if it has one. */
  cgroup: string | undefined;
}

/** @throws INVALID if its program is not there any more. */
export async function launchOf(needs: LaunchNeeds): Promise<Launch> {
  const { manifest, folder, paths, launcher } = needs;
  const program = await programOf(manifest, folder);
  return {
    file: launcher.path,
    args: [
      ...launcherArguments(needs, program),
      '--',
      program,
      ...manifest.start.slice(1).map((argument) => inPackage(argument, folder)),
    ],
    options: {
      cwd: paths.data,
      env: environment(needs),
      // The fourth is the launcher's: it tells the process there, and ends all when it is closed.
      stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
      // A session of its own: everything it starts can be ended with it.
      detached: true,
    },
  };
}

/** Programs run in the working folder; `./main.mjs` means the one of the package all the same. */
function inPackage(argument: string, folder: string): string {
  return argument.startsWith('./') ? join(folder, argument) : argument;
}

function environment({ manifest, folder, paths, launcher }: LaunchNeeds): Record<string, string> {
  const { TZ } = process.env;
  return {
    PATH: '/usr/local/bin:/usr/bin:/bin',
    LANG: 'C.UTF-8',
    HOME: paths.data,
    TMPDIR: launcher.noNamespaces === undefined ? '/tmp' : paths.tmp,
    ...(TZ === undefined ? {} : { TZ }),
    SINGULATE_APP_NAME: manifest.name,
    SINGULATE_APP_DIR: folder,
    SINGULATE_APP_DATA: paths.data,
    SINGULATE_APP_SOCKET: paths.socket,
  };
}

function launcherArguments(needs: LaunchNeeds, program: string): string[] {
  const { manifest, paths, uid, launcher, cgroup } = needs;
  const setAside = program === process.execPath ? codeRangeBytes() : 0;
  const { memoryMb = MEMORY_MB, processes = PROCESSES, openFiles = OPEN_FILES } = manifest;
  return [
    `--work=${paths.data}`,
    ...(launcher.noNamespaces === undefined
      ? [
          '--namespaces',
          `--tmp-bytes=${TMP_MB * MB}`,
          `--keep=${paths.root}`,
          // Of node, should it lie below /tmp.
          `--keep=${dirname(process.execPath)}`,
        ]
      : []),
    ...(cgroup === undefined ? [] : [`--cgroup=${cgroup}`]),
    // Memory that is really written to. The address space says nothing: Node.js reserves gigabytes.
    `--data-bytes=${memoryMb * MB + setAside}`,
    `--open-files=${openFiles}`,
    `--file-bytes=${FILE_MB * MB}`,
    // The kernel counts all processes of a user: without one of its own, the limit would hit others.
    ...(uid === undefined ? [] : [`--uid=${uid}`, `--processes=${processes}`]),
  ];
}

/** Of all its processes together; memory of each is limited besides. */
export function groupLimits(manifest: AppManifest): GroupLimits {
  const { memoryMb = MEMORY_MB, processes = PROCESSES } = manifest;
  return { memoryBytes: (2 * memoryMb + TMP_MB) * MB, processes: processes + LAUNCHER_PROCESSES };
}

export function limitsText(manifest: AppManifest, uid: number | undefined): string {
  const { memoryMb = MEMORY_MB, processes = PROCESSES, openFiles = OPEN_FILES } = manifest;
  const count = uid === undefined ? '' : `, ${processes} processes and threads`;
  return `${memoryMb} MB for each process${count}, ${openFiles} open files, files of ${FILE_MB} MB`;
}

/** What it is kept from, as far as this machine can. */
export function protectionText(uid: number | undefined, launcher: Launcher | undefined): string {
  if (launcher === undefined) return 'not known before an application was started';
  const { noNamespaces } = launcher;
  return [
    ...(uid === undefined ? [] : ['no capabilities']),
    'no new privileges',
    'filtered system calls',
    noNamespaces === undefined
      ? `processes, mounts and a /tmp of ${TMP_MB} MB of its own`
      : `no processes, mounts and /tmp of its own (${noNamespaces})`,
  ].join(', ');
}
