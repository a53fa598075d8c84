/** Handshakes that are begun by a process of its own. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export interface FloodTask {
  port: number;
  /** Addresses of this machine, in turns. */
  sources: string[];
  /** 0 = as fast as it goes, with so many connections of each source at a time. */
  perSecond: number;
  connections: number;
}

export interface FloodResult {
  /** Connections that had an answer to their first message. */
  answered: number;
  seconds: number;
}

export class Flood {
  readonly #child: ChildProcess;

  constructor() {
    this.#child = fork(fileURLToPath(new URL('./flood-child.js', import.meta.url)));
  }

  async begin(task: FloodTask): Promise<void> {
    await this.#ask(task);
  }

  async end(): Promise<FloodResult> {
    return (await this.#ask('end')) as FloodResult;
  }

  close(): void {
    this.#child.disconnect();
  }

  async #ask(message: FloodTask | 'end'): Promise<unknown> {
    const answer = once(this.#child, 'message');
    this.#child.send(message);
    const [got] = await answer;
    return got;
  }
}
