/** Messages to the process that started this one, if that was with an IPC channel. */

/** @param done Called when it is on its way, or cannot be. Never throws. */
export function tell(message: object, done: () => void = () => {}): void {
  if (process.connected) process.send?.(message, undefined, undefined, () => done());
  else done();
}
