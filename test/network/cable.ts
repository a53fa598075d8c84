/**
 * Two hosts with a cable between them: the network namespace of this process and another one. A
 * cut cable loses packets without a word to either end. Needs root, and a namespace of its own to
 * run in: `npm run test:network` brings both.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Test } from 'tap';

export const READER_ADDRESS = '10.77.0.1';
export const PEER_ADDRESS = '10.77.0.2';

const ip = (...args: string[]) => execFileSync('ip', args);

export class Cable {
  readonly #peer: ChildProcess;
  readonly #children: ChildProcess[] = [];

  private constructor(peer: ChildProcess) {
    this.#peer = peer;
  }

  static async lay(t: Test): Promise<Cable> {
    // The cables of the machine itself stay as they are.
    const links = ip('-o', 'link').toString().trim().split('\n');
    if (links.some((line) => !/^\d+: (lo|reader)[@:]/.test(line))) {
      throw new Error('not in a network namespace of its own: npm run test:network');
    }
    const peer = spawn('unshare', ['-n', 'sleep', 'infinity']);
    const cable = new Cable(peer);
    t.teardown(() => cable.#remove());
    const ours = namespaceOf(process.pid);
    while (namespaceOf(peer.pid as number) === ours) await sleep(5);
    ip('link', 'set', 'lo', 'up');
    ip('link', 'add', 'reader', 'type', 'veth', 'peer', 'name', 'peer', 'netns', String(peer.pid));
    ip('addr', 'add', `${READER_ADDRESS}/24`, 'dev', 'reader');
    ip('link', 'set', 'reader', 'up');
    cable.#onPeer('addr', 'add', `${PEER_ADDRESS}/24`, 'dev', 'peer');
    cable.#onPeer('link', 'set', 'lo', 'up');
    cable.mend();
    return cable;
  }

  cut(): void {
    this.#onPeer('link', 'set', 'peer', 'down');
  }

  mend(): void {
    this.#onPeer('link', 'set', 'peer', 'up');
  }

  /** Runs a script of node on the other host, with a channel for messages. */
  run(script: string, args: string[]): ChildProcess {
    const command = ['-t', String(this.#peer.pid), '-n', process.execPath, script, ...args];
    const child = spawn('nsenter', command, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    this.#children.push(child);
    return child;
  }

  #onPeer(...args: string[]): void {
    execFileSync('nsenter', ['-t', String(this.#peer.pid), '-n', 'ip', ...args]);
  }

  #remove(): void {
    ip('link', 'del', 'reader');
    for (const child of [...this.#children, this.#peer]) child.kill('SIGKILL');
  }
}

function namespaceOf(pid: number): string {
  return execFileSync('readlink', [`/proc/${pid}/ns/net`]).toString();
}

/** The whole text of a file that may not be there yet. */
export function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
