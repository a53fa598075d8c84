/**
 * A program that was started with an IPC channel ends when the process that holds its other end is gone,
 * at whatever moment that is: nobody else would ever end it. Programs without a channel (of systemd,
 * or of a shell) are not concerned. Imports nothing: it has to be there before all that takes long.
 */

/** For what is to be done first; afterwards the process ends without it. */
const GRACE_MS = 4000;

let finish: (() => Promise<unknown>) | undefined;

/** To be called first of all. Until `finishFirst` says what there is to do, the end comes at once. */
export function endWithStarter(): void {
  if (process.send === undefined) return;
  // It may have gone while node itself was starting.
  if (!process.connected) endNow();
  process.once('disconnect', () => {
    if (finish === undefined) endNow();
    setTimeout(endNow, GRACE_MS);
    finish().then(endNow, endNow);
  });
}

/** @param work Ends in order what the process does; may be under way already when it is called. */
export function finishFirst(work: () => Promise<unknown>): void {
  finish = work;
}

/**
 * process.exit would wait for what its threads do: for an answer about the name of a server, a disk
 * that hangs, the thread of the radio. Nobody is left who could be told an exit code.
 */
function endNow(): never {
  try {
    // What is done at every end: log lines that wait, programs that this one started.
    process.emit('exit', 0);
  } finally {
    process.kill(process.pid, 'SIGKILL');
  }
  // The signal to itself has ended it.
  throw new Error('the process goes on');
}
