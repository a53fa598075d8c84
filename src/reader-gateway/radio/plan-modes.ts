/** Which mode the reads of each plan of the running inventory were taken under. */
import type { TagReadInput } from '../../contract/messages.js';
import type { CompiledMode } from '../mode/compile.js';

export class PlanModes {
  /** By the number of the plan, the newest last. */
  #modes = new Map<number, CompiledMode>();
  /** Of a change that is not answered yet: its reads may be here before the answer. */
  #expected: CompiledMode | undefined;

  /** An inventory begins with this plan; the plans of the one before are over. */
  begin(number: number, mode: CompiledMode): void {
    this.#modes = new Map([[number, mode]]);
  }

  /** The plan is being changed. */
  expect(mode: CompiledMode): void {
    this.#expected = mode;
  }

  /** The plan was changed; undefined = it was not. */
  changed(number: number | undefined): void {
    if (number !== undefined && this.#expected !== undefined) {
      this.#modes.set(number, this.#expected);
    }
    this.#expected = undefined;
  }

  /** Runs of reads that belong to one mode, in their order. */
  *split(reads: readonly TagReadInput[]): Generator<[readonly TagReadInput[], CompiledMode]> {
    for (let from = 0; from < reads.length; ) {
      const plan = reads[from]?.plan ?? 0;
      let to = from + 1;
      while (to < reads.length && (reads[to]?.plan ?? 0) === plan) to++;
      const mode = this.#modeOf(plan);
      const whole = from === 0 && to === reads.length;
      if (mode !== undefined) yield [whole ? reads : reads.slice(from, to), mode];
      from = to;
    }
  }

  /** Plans before the one whose reads come now are over. */
  #modeOf(plan: number): CompiledMode | undefined {
    const mode = this.#modes.get(plan);
    if (mode === undefined) return this.#expected ?? [...this.#modes.values()].at(-1);
    for (const known of this.#modes.keys()) {
      if (known === plan) break;
      this.#modes.delete(known);
    }
    return mode;
  }
}
