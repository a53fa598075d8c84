/** What ends with the service, or with a start that fails: collected while it begins. */
export class Ending {
  readonly #sources: (() => void)[] = [];
  readonly #receivers: { stop(flushMs: number): Promise<unknown> }[] = [];
  readonly #foundations: (() => void)[] = [];

  /** What makes events, changes or reports. The last to begin ends first. */
  source(close: () => void): void {
    this.#sources.unshift(close);
  }

  /** What takes them: it may send what it has, once no more comes. */
  receiver<Receiver extends { stop(flushMs: number): Promise<unknown> }>(one: Receiver): Receiver {
    this.#receivers.push(one);
    return one;
  }

  /** What all others may ask to the end. */
  foundation(close: () => void): void {
    this.#foundations.unshift(close);
  }

  /** @param flushMs Time for what waits to be sent. */
  async run(flushMs: number): Promise<void> {
    for (const close of this.#sources) close();
    await Promise.all(this.#receivers.map((one) => one.stop(flushMs)));
    for (const close of this.#foundations) close();
  }
}
