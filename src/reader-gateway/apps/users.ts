/**
 * Users that applications run as. A service that is root gives each application a number of its
 * own, without a name: nothing else on the machine belongs to it.
 */

/** Out of 60578 to 61183, which systemd's list of user ids leaves unused. */
const FIRST_UID = 60_600;
export const MAX_APPS = 16;

export function isRoot(): boolean {
  return process.getuid?.() === 0;
}

/** @param used By other applications. */
export function freeUid(used: readonly (number | null)[]): number | null {
  if (!isRoot()) return null;
  for (let uid = FIRST_UID; uid < FIRST_UID + MAX_APPS; uid++) {
    if (!used.includes(uid)) return uid;
  }
  return null;
}

export function userText(uid: number | undefined): string {
  if (uid !== undefined) return `its own user ${uid}`;
  return `the user of the service (${process.getuid?.()}): only root can give it one of its own`;
}
