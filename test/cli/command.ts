/** The command, in this process or as one of its own: what it says, and its exit code. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { runCommand } from '../../src/cli/run-command.js';
import { PACKAGE_ROOT } from '../../src/shared/package-info.js';

/** As users have it. */
export const COMMAND = join(PACKAGE_ROOT, 'dist/bundle/lib/cli.js');

export interface Ran {
  code: number;
  stdout: string;
  stderr: string;
}

/** In this process, which saves a start of Node.js; not for commands that go on until they are told to end. */
export async function run(...args: string[]): Promise<Ran> {
  const ran = { code: 0, stdout: '', stderr: '' };
  const collected = (name: 'stdout' | 'stderr') => ({
    write(text: string) {
      ran[name] += text;
    },
  });
  ran.code = await runCommand(args, { stdout: collected('stdout'), stderr: collected('stderr') });
  return ran;
}

/** As a process of its own. */
export async function runAlone(...args: string[]): Promise<Ran> {
  const child = spawn(process.execPath, [COMMAND, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  const ran = { code: 0, stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].on('data', (chunk) => {
      ran[name] += chunk;
    });
  }
  [ran.code] = await once(child, 'close');
  return ran;
}
