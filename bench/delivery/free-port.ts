import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';

/** Below those that the kernel gives to clients: a connection that somebody opens cannot take one of them. */
const FIRST = 20_000;
const END = 30_000;

/** A file for each port that is in use; in it the process that uses it. */
const folder = join(tmpdir(), `singulate-ports-${userInfo().uid}`);
const mine: string[] = [];

/**
 * A port of the loopback address that nobody uses at the moment, and that no other process that asks
 * here gets as long as this one lives: the program that is to listen on it often starts much later.
 */
export async function freePort(): Promise<number> {
  mkdirSync(folder, { recursive: true });
  for (;;) {
    const port = randomInt(FIRST, END);
    if (isReserved(join(folder, String(port))) && (await isFree(port))) return port;
  }
}

/** @returns true if it is ours now. */
function isReserved(file: string): boolean {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' });
  } catch {
    // Another port is taken all the same: somebody else may be looking at this one, too.
    if (!isAlive(ownerOf(file))) rmSync(file, { force: true });
    return false;
  }
  if (mine.push(file) === 1) {
    process.once('exit', () => {
      for (const each of mine) rmSync(each, { force: true });
    });
  }
  return true;
}

function ownerOf(file: string): number {
  try {
    return Number(readFileSync(file, 'utf8'));
  } catch {
    return 0;
  }
}

function isAlive(pid: number): boolean {
  // Made just now, and its number is not in it yet.
  if (pid === 0) return true;
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch {
    return false;
  }
  server.close();
  await once(server, 'close');
  return true;
}
