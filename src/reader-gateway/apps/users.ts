/**
 * Users that applications run as. A service that is root gives each application a number of its
 * own, without a name: nothing else on the machine belongs to it.
 */
import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { PlatformName } from '../../platform/platform-name.js';
import { SingulateError } from '../../shared/errors.js';
import { processesOf } from './processes.js';

/** Out of 60578 to 61183, which systemd's list of user ids leaves unused. */
const FIRST_UID = 60_600;
const UIDS = 256;
export const MAX_APPS = 16;

/** What everybody may write to: the last files of an application may lie there. */
const SHARED_FOLDERS = ['/tmp', '/var/tmp', '/dev/shm'];

/** Whom applications run as: a user of their own each, the service's, or nobody, so not at all. */
export type RunsAs = 'own' | 'service' | 'nobody';

export function isRoot(): boolean {
  return process.getuid?.() === 0;
}

/** A developer's own machine may run them as the developer; on a reader they never are the service. */
export function whomToRunAs(platform: PlatformName, root = isRoot()): RunsAs {
  if (root) return 'own';
  return platform === 'emulated' ? 'service' : 'nobody';
}

/** @throws STATE if nobody is there whom they could run as. */
export function checkRunsAs(runsAs: RunsAs): void {
  if (runsAs !== 'nobody') return;
  const message =
    'this reader runs no user applications: its service is not root, and they never run as its user';
  throw new SingulateError('STATE', message);
}

/**
 * One that nobody has: no application, no process and no file.
 * @param used By other applications, or by files that could not be removed yet.
 * @returns null if the service cannot give one. @throws STATE if none is left.
 */
export function freeUid(used: readonly (number | null)[]): number | null {
  if (!isRoot()) return null;
  const owners = ownersIn(SHARED_FOLDERS);
  for (let uid = FIRST_UID; uid < FIRST_UID + UIDS; uid++) {
    if (!used.includes(uid) && !owners.has(uid) && processesOf(uid).length === 0) return uid;
  }
  const message = `all users for applications (${FIRST_UID} to ${FIRST_UID + UIDS - 1}) have processes or files`;
  throw new SingulateError('STATE', message);
}

export function userText(uid: number | undefined): string {
  if (uid !== undefined) return `its own user ${uid}`;
  return `the user of the service (${process.getuid?.()}): only root can give it one of its own`;
}

/** Of what lies directly in these folders. */
export function ownersIn(folders: readonly string[]): Set<number> {
  const owners = new Set<number>();
  for (const folder of folders) {
    let names: string[] = [];
    try {
      names = readdirSync(folder);
    } catch {
      // This machine does not have it.
    }
    for (const name of names) {
      const uid = lstatSync(join(folder, name), { throwIfNoEntry: false })?.uid;
      if (uid !== undefined) owners.add(uid);
    }
  }
  return owners;
}
