/** Ends processes of applications that nobody looks after: of a service that was killed, or their children. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { readJsonFile, writeJsonFile } from '../../shared/atomic-file.js';

interface ProcessFacts {
  pid: number;
  session: number;
  /** In ticks since the boot. */
  startTicks: number;
}

interface RunFile extends ProcessFacts {
  bootId: string;
}

/** Remembers a process that was started with a session of its own. */
export async function rememberProcess(path: string, pid: number): Promise<void> {
  const facts = factsOf(pid);
  if (facts === undefined) return;
  await writeJsonFile(path, { ...facts, bootId: bootId() } satisfies RunFile);
}

/**
 * Kills what the remembered process left, and with a user of its own everything of that user.
 * @param path Of the file that remembers it; it is gone afterwards.
 * @param socket Of the application.
 */
export async function killLeftovers(
  path: string,
  uid: number | undefined,
  socket: string,
): Promise<void> {
  const run = (await readJsonFile(path).catch(() => undefined)) as RunFile | undefined;
  if (run !== undefined && run.bootId === bootId()) killSession(run.session, run.startTicks);
  killUser(uid, socket);
  await rm(path, { force: true });
}

/** @param startTicks Of its leader: a session that is younger than all of them is another one. */
function killSession(session: number, startTicks: number): void {
  for (const facts of allProcesses()) {
    if (facts.session === session && facts.startTicks >= startTicks) kill(facts.pid);
  }
}

/** Twice: what was being started during the first round is there in the second. */
function killUser(uid: number | undefined, socket: string): void {
  // Never root, and never the service itself.
  if (uid === undefined || uid === 0 || uid === process.getuid?.()) return;
  for (let round = 0; round < 2; round++) {
    for (const pid of pids()) {
      if (ownerOf(pid) === uid && !isOfOtherReader(pid, uid, socket)) kill(pid);
    }
  }
}

/**
 * Two readers may run on a developer's machine, and count their users alike. A process says in its
 * environment whose it is; that is believed if root has really made a socket for this user there.
 */
function isOfOtherReader(pid: number, uid: number, socket: string): boolean {
  try {
    const text = `\0${readFileSync(`/proc/${pid}/environ`, 'utf8')}`;
    const said = /\0SINGULATE_APP_SOCKET=([^\0]+)/.exec(text)?.[1];
    if (said === undefined || said === socket) return false;
    return statSync(said).uid === uid && statSync(dirname(said)).uid === process.getuid?.();
  } catch {
    return false;
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It is gone already.
  }
}

function allProcesses(): ProcessFacts[] {
  return pids()
    .map(factsOf)
    .filter((facts) => facts !== undefined);
}

function pids(): number[] {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number);
  } catch {
    return [];
  }
}

function ownerOf(pid: number): number | undefined {
  try {
    return statSync(`/proc/${pid}`).uid;
  } catch {
    return undefined;
  }
}

function factsOf(pid: number): ProcessFacts | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name of the program, in parentheses, may hold anything.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return { pid, session: Number(fields[3]), startTicks: Number(fields[19]) };
  } catch {
    return undefined;
  }
}

function bootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return '';
  }
}
