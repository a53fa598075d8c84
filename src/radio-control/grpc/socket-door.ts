/** Listens on a Unix socket: all that its permissions let in may come. */

import { once } from 'node:events';
import { chmodSync } from 'node:fs';
import { chown, lstat, readFile, rm } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { configError, errorMessage } from '../../shared/errors.js';

export interface SocketDoor {
  /** The option that says where, for messages. */
  option: string;
  path: string;
  mode: number;
  /** Name or number; undefined: that of the service. */
  group?: string | undefined;
}

/** Of the kernel; libuv cuts what is longer without a word, and listens elsewhere. */
const MAX_PATH_BYTES = 107;

export interface OpenDoor {
  close(): Promise<void>;
}

/** @throws CONFIG */
export async function openSocketDoor(
  door: SocketDoor,
  onConnection: (socket: Socket) => void,
): Promise<OpenDoor> {
  const { option, path, mode, group } = door;
  if (Buffer.byteLength(path) > MAX_PATH_BYTES) {
    throw configError(
      `${option}: ${path} is too long for a socket; at most ${MAX_PATH_BYTES} bytes`,
    );
  }
  await removeStale(door);
  const groupId = group === undefined ? undefined : await groupNumber(group);
  const server = createServer(onConnection);
  try {
    await listenUnseen(server, path);
    if (groupId !== undefined) await giveTo(path, groupId, group as string);
    chmodSync(path, mode);
  } catch (error) {
    server.close();
    throw configError(`gRPC cannot listen on ${option} ${path}: ${errorMessage(error)}`);
  }
  return {
    close: async () => {
      server.close();
      await rm(path, { force: true });
    },
  };
}

/** A socket file that a killed service left behind would make the bind fail. */
async function removeStale({ option, path }: SocketDoor): Promise<void> {
  const found = await lstat(path).catch(() => undefined);
  if (found !== undefined && !found.isSocket()) {
    throw configError(`${option}: ${path} is there already and is no socket`);
  }
  await rm(path, { force: true });
}

/** Until it has its own group and mode nobody but this user may connect. */
async function listenUnseen(server: Server, path: string): Promise<void> {
  const listening = once(server, 'listening');
  const umask = process.umask(0o177);
  try {
    // Node binds before this returns.
    server.listen({ path });
  } finally {
    process.umask(umask);
  }
  await listening;
}

async function giveTo(path: string, groupId: number, group: string): Promise<void> {
  try {
    await chown(path, -1, groupId);
  } catch (error) {
    throw new Error(`it cannot be given to the group ${group}: ${errorMessage(error)}`);
  }
}

/** Groups that the machine has from elsewhere (LDAP) are given by number. @throws CONFIG */
async function groupNumber(group: string): Promise<number> {
  if (/^\d+$/.test(group)) return Number(group);
  const lines = (await readFile('/etc/group', 'utf8').catch(() => '')).split('\n');
  const line = lines.find((one) => one.startsWith(`${group}:`));
  const number = Number(line?.split(':')[2] ?? Number.NaN);
  if (Number.isInteger(number)) return number;
  throw configError(
    `--socket-group: /etc/group has no group ${group}; allowed: a name in it, or a number`,
  );
}
