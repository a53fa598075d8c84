/** Operations that share a method and a path. */
import type { Operation } from './operation.js';

/** At least one; the order is that of the table. */
export type Sharing = [Operation, ...Operation[]];

/** Operations that share a method and a path come together, in their order. */
export function byMethodAndPath(operations: readonly Operation[]): Sharing[] {
  const groups = new Map<string, Sharing>();
  for (const operation of operations) {
    const key = `${operation.method} ${operation.path}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [operation]);
    else group.push(operation);
  }
  return [...groups.values()];
}
