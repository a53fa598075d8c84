/** Signals to an application and all it started: the session it began has its number as a group. */
export function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch {
    // Nobody of it is left.
  }
}
