/** Inputs and outputs in memory, moved by the test. */
import type { Level, LineChange, Lines } from '../../src/reader-gateway/io/lines.js';
import { SingulateError } from '../../src/shared/errors.js';

export class FakeLines implements Lines {
  readonly gpis = new Map<number, Level>();
  readonly gpos = new Map<number, Level>();
  /** Every write that was tried. */
  readonly writes: { atMs: number; port: number; level: Level }[] = [];
  /** Why writes fail; undefined = they do not. */
  fails: SingulateError | undefined;
  /** Writes never come to an end. */
  hangs = false;
  readonly #listeners = new Set<(change: LineChange) => void>();

  constructor(
    private readonly now: () => number = Date.now,
    inputs = 4,
    outputs = 4,
  ) {
    for (let port = 1; port <= inputs; port++) this.gpis.set(port, 'LOW');
    for (let port = 1; port <= outputs; port++) this.gpos.set(port, 'LOW');
  }

  async setGpo(port: number, level: Level): Promise<void> {
    this.writes.push({ atMs: this.now(), port, level });
    if (this.hangs) await new Promise(() => {});
    if (this.fails !== undefined) throw this.fails;
    if (!this.gpos.has(port)) throw new SingulateError('INVALID', `there is no output ${port}`);
    this.gpos.set(port, level);
    this.tell({ kind: 'gpo', port, level });
  }

  onChange(listener: (change: LineChange) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Somebody moves an input. */
  input(port: number, level: Level): void {
    if (this.gpis.get(port) === level) return;
    this.gpis.set(port, level);
    this.tell({ kind: 'gpi', port, level });
  }

  /** As the radio tells of a line. */
  tell(change: LineChange): void {
    for (const listener of this.#listeners) listener(change);
  }
}
