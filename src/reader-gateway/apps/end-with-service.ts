/**
 * Applications end with the service also when that has no time to stop them: a fault, or a start
 * that is broken off. What a SIGKILL of the service leaves is found by its next start (leftovers.ts).
 */
import { signalGroup } from './signal-group.js';

const groups = new Set<number>();

process.on('exit', () => {
  for (const group of groups) signalGroup(group, 'SIGKILL');
});

/** @param group Of an application that runs. @returns To be called when it has ended. */
export function endWithService(group: number): () => void {
  groups.add(group);
  return () => groups.delete(group);
}
