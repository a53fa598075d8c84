/** Many requests to a server. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export interface LoadRequest {
  method: string;
  path: string;
  body?: string;
}

export interface LoadTask {
  url: string;
  token: string;
  /** Sent in turns. */
  requests: LoadRequest[];
  connections: number;
  /** 0 = each connection sends its next request with the answer to the one before. */
  perSecond: number;
}

export interface LoadResult {
  answers: number;
  /** Of those: not 2xx. */
  refused: number;
  seconds: number;
}

export class Load {
  readonly #child: ChildProcess;
  readonly #gone: Promise<never>;

  constructor() {
    this.#child = fork(fileURLToPath(new URL('./load-child.js', import.meta.url)));
    this.#gone = once(this.#child, 'exit').then(([code]) => {
      throw new Error(`the load exited with ${code}`);
    });
    // It is reported to those who wait for an answer; at the end nobody does.
    this.#gone.catch(() => {});
  }

  async begin(task: LoadTask): Promise<void> {
    await this.#ask(task);
  }

  /** @throws if a request was refused: a load that is turned away is none. */
  async end(): Promise<LoadResult> {
    const result = (await this.#ask('end')) as LoadResult;
    if (result.refused > 0) {
      throw new Error(`${result.refused} of ${result.answers} requests were refused`);
    }
    return result;
  }

  close(): void {
    this.#child.disconnect();
  }

  async #ask(message: LoadTask | 'end'): Promise<unknown> {
    const answer = once(this.#child, 'message');
    this.#child.send(message);
    const [got] = (await Promise.race([answer, this.#gone])) as unknown[];
    return got;
  }
}
