/**
 * Ends processes of applications that nobody looks after. The launcher leaves none; these are for
 * one that was killed itself, on a machine that gives applications no processes of their own.
 */
import { lstatSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readJsonFile, writeJsonFile } from '../../shared/atomic-file.js';
import { SingulateError } from '../../shared/errors.js';
import { allPids, bootId, factsOf, type ProcessFacts, processesOf } from './processes.js';

interface RunFile extends ProcessFacts {
  bootId: string;
}

/** Together a few seconds: who is in the kernel may need them to go. */
const ROUNDS = 100;
const ROUND_MS = 50;

/** Remembers a process that was started with a session of its own. */
export async function rememberProcess(path: string, pid: number): Promise<void> {
  const facts = factsOf(pid);
  if (facts === undefined) return;
  await writeJsonFile(path, { ...facts, bootId: bootId() } satisfies RunFile);
}

/**
 * Kills what the remembered process left, and with a user of its own everything of that user, until
 * nothing of it is left.
 * @param path Of the file that remembers it; it is gone afterwards.
 * @param socket Of the application.
 * @throws STATE if something of that user lives on.
 */
export async function killLeftovers(
  path: string,
  uid: number | undefined,
  socket: string,
): Promise<void> {
  const run = (await readJsonFile(path).catch(() => undefined)) as RunFile | undefined;
  if (run !== undefined && run.bootId === bootId()) killSession(run.session, run.startTicks);
  await killUser(uid, socket);
  await rm(path, { force: true });
}

/** @param startTicks Of its leader: a session that is younger than all of them is another one. */
function killSession(session: number, startTicks: number): void {
  for (const pid of allPids()) {
    const facts = factsOf(pid);
    if (facts?.session === session && facts.startTicks >= startTicks) kill(pid);
  }
}

/** Again and again: what was being started during one round is there in the next. */
async function killUser(uid: number | undefined, socket: string): Promise<void> {
  // Never root, and never the service itself.
  if (uid === undefined || uid === 0 || uid === process.getuid?.()) return;
  for (let round = 0; round < ROUNDS; round++) {
    const left = processesOf(uid).filter((pid) => !isOfOtherReader(pid, uid, socket));
    if (left.length === 0) return;
    for (const pid of left) kill(pid);
    await sleep(ROUND_MS);
  }
  throw new SingulateError('STATE', `processes of user ${uid} cannot be ended`);
}

/**
 * Two readers may run on a developer's machine, and count their users alike. A process says in its
 * environment whose it is; that is believed if there is a socket for this user that only root can
 * have put there.
 */
function isOfOtherReader(pid: number, uid: number, socket: string): boolean {
  try {
    const text = `\0${readFileSync(`/proc/${pid}/environ`, 'utf8')}`;
    const said = /\0SINGULATE_APP_SOCKET=([^\0]+)/.exec(text)?.[1];
    if (said === undefined || said === socket) return false;
    const file = lstatSync(said);
    const folder = lstatSync(dirname(said));
    return (
      file.isSocket() &&
      file.uid === uid &&
      folder.isDirectory() &&
      folder.uid === process.getuid?.() &&
      (folder.mode & 0o022) === 0
    );
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
