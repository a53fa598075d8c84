/**
 * What is left to do when this command is killed and a service does not end by itself: its event loop
 * stands, or it was stopped. A shell waits for the end of this process, gives the services the time of an
 * orderly end, and kills what is still there. It needs about the memory of one shell.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { startTime } from './state-lock.js';

/** Longer than the services take for their end, in seconds. */
const GRACE_S = 6;

/**
 * Each line names all processes: PID:START ... (START as in /proc, so that no other process of the same
 * number is hit). The end of the lines is the end of the command.
 */
const SCRIPT = `
trap '' HUP INT TERM
while read -r line; do all=$line; done
[ -n "$all" ] || exit 0
sleep ${GRACE_S}
for one in $all; do
  pid=\${one%:*}
  [ "$(cut -d ' ' -f 22 /proc/$pid/stat 2>/dev/null)" = "\${one#*:}" ] && kill -9 $pid
done
`;

export class LastResort {
  #shell: ChildProcess | undefined;

  /** From now on these processes are killed if this one ends without a further call. */
  watch(pids: readonly number[]): void {
    this.#shell ??= this.#start();
    const all = pids.flatMap((pid) => {
      const started = startTime(pid);
      return started === undefined ? [] : [`${pid}:${started}`];
    });
    this.#shell.stdin?.write(`${all.join(' ')}\n`);
  }

  #start(): ChildProcess {
    // Not in the group of the terminal, whose signals are for the command.
    const options = { detached: true, cwd: '/', stdio: ['pipe', 'ignore', 'ignore'] as const };
    const shell = spawn('/bin/sh', ['-c', SCRIPT], { ...options, stdio: [...options.stdio] });
    // Without a shell the services still end by themselves if they can.
    shell.on('error', () => {});
    shell.stdin?.on('error', () => {});
    shell.unref();
    return shell;
  }
}
