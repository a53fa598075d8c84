/** The one way in which anything is set: whole or not at all, one change after the other. */
import { errorMessage, isSingulateError, SingulateError } from './errors.js';
import type { Logger } from './log.js';

/** What is done of a change so far, and how it is taken back. */
export class Change {
  readonly #undo: (() => Promise<unknown>)[] = [];
  readonly #done: (() => void | Promise<void>)[] = [];

  /**
   * Does one part. @param work Must leave everything as it was if it throws.
   * @param undo Takes it back if a later part fails; left out: there is nothing to take back.
   */
  async step<T>(work: () => Promise<T>, undo?: (result: T) => Promise<unknown>): Promise<T> {
    const result = await work();
    if (undo !== undefined) this.#undo.push(() => undo(result));
    return result;
  }

  /**
   * @param work Is called once every part is done: from then on the change holds. What it promises
   * is waited for before the change is over. Must not throw, and its promise must not fail.
   */
  whenDone(work: () => void | Promise<void>): void {
    this.#done.push(work);
  }

  async finish(): Promise<void> {
    await Promise.all(this.#done.map((work) => work()));
  }

  /** The last part first. @returns What could not be taken back. */
  async takeBack(): Promise<unknown[]> {
    const failures: unknown[] = [];
    for (const undo of this.#undo.reverse()) {
      await undo().catch((error) => failures.push(error));
    }
    return failures;
  }
}

export class Changes {
  #last: Promise<unknown> = Promise.resolve();

  constructor(private readonly log?: Pick<Logger, 'error'>) {}

  /**
   * @param work Checks, stores, and makes it so, in this order, by the steps of the change.
   * @throws what `work` throws; then all is as before, or the message says what is not.
   */
  make<T>(work: (change: Change) => Promise<T>): Promise<T> {
    const done = this.#last.then(() => this.#make(work));
    this.#last = done.catch(() => {});
    return done;
  }

  async #make<T>(work: (change: Change) => Promise<T>): Promise<T> {
    const change = new Change();
    let result: T;
    try {
      result = await work(change);
    } catch (error) {
      const failures = await change.takeBack();
      if (failures.length === 0) throw error;
      this.log?.error({ err: error, failures }, 'a change has failed, and cannot be taken back');
      throw halfDone(error, failures);
    }
    await change.finish();
    return result;
  }
}

function halfDone(error: unknown, failures: readonly unknown[]): SingulateError {
  const { code, violations } = isSingulateError(error)
    ? error
    : { code: 'INTERNAL' as const, violations: [] };
  const why = failures.map(errorMessage).join('; ');
  const message = `${errorMessage(error)}; and it cannot be taken back: ${why}`;
  return new SingulateError(code, message, violations);
}
