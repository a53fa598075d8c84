/** What one request costs a reader that is in this process: processor time, and memory that it takes. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Test } from 'tap';

export interface Asked {
  url: string;
  method: string;
  body?: string | undefined;
  headers: Record<string, string>;
  /** The answer has no end: it is left when it begins. */
  endless?: boolean;
  times: number;
}

export interface RequestCost {
  /** Processor time of all threads. */
  ms: number;
  /** Bytes that were allocated. */
  bytes: number;
}

export class Asker {
  readonly #child: ChildProcess;

  constructor(t: Test) {
    this.#child = fork(fileURLToPath(new URL('./asker-child.js', import.meta.url)));
    t.teardown(() => this.#child.disconnect());
  }

  /** @returns The cost of one of them, with that of telling the client about it; and the last status. */
  async cost(asked: Asked): Promise<RequestCost & { status: number }> {
    const answer = once(this.#child, 'message');
    const [cpu, memory] = [process.cpuUsage(), used()];
    this.#child.send(asked);
    const [status] = (await answer) as [number];
    const { user, system } = process.cpuUsage(cpu);
    const times = Math.max(1, asked.times);
    return { status, ms: (user + system) / 1000 / times, bytes: (used() - memory) / times };
  }
}

function used(): number {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** A piece of work that is always the same: how fast this machine is now. @returns Processor time. */
export function yardstickMs(): number {
  const before = process.cpuUsage();
  for (let i = 0; i < 10; i++) JSON.parse(JSON.stringify(WORK));
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

const WORK = Array.from({ length: 1000 }, (_, i) => ({
  id: i,
  name: `name ${i}`,
  parts: [i, [i]],
}));
