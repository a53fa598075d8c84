/** Endpoints in a process of their own, as a source of events that can be killed. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Test } from 'tap';
import { temporaryFolder } from '../gateway/reader.js';
import type { Receivers, Source } from './restarts.js';

const SCRIPT = fileURLToPath(new URL('./events-process.js', import.meta.url));
const PER_SECOND = 3000;

export interface RestartedEndpoints extends Source {
  readonly stateDir: string;
  /** No file of the running process can be written beyond so many bytes. */
  limitFiles(bytes: number): void;
}

export function restartedEndpoints(t: Test, receivers: Receivers): RestartedEndpoints {
  const stateDir = temporaryFolder(t);
  const load = async () => {
    const args = [stateDir, JSON.stringify(receivers.connections), String(receivers.wsPort)];
    const child = spawn(process.execPath, [SCRIPT, ...args, String(PER_SECOND)], {
      stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    });
    await once(child, 'message');
    return child;
  };
  // Loaded already: the start of a process takes longer than what is to be tested.
  let next = load();
  let running: ChildProcess | undefined;
  t.teardown(async () => {
    running?.kill('SIGKILL');
    (await next).kill('SIGKILL');
  });
  return {
    stateDir,
    async begin(run) {
      const child = await next;
      next = load();
      running = child;
      const begun = once(child, 'message');
      child.send({ begin: run });
      await begun;
    },
    async end(signal) {
      const child = running as ChildProcess;
      const gone = once(child, 'exit');
      child.kill(signal);
      await gone;
    },
    limitFiles(bytes) {
      execFileSync('prlimit', ['--pid', String(running?.pid), `--fsize=${bytes}:`]);
    },
    async last() {
      running?.send('last');
    },
  };
}
