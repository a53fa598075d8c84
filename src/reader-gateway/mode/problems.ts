/** Collects everything that is wrong with a mode, so that one answer names it all. */
import type { Violation } from '../../shared/errors.js';
import { show } from '../api/validate.js';

export class Problems {
  readonly #violations: Violation[] = [];

  /**
   * @param spelling Names of fields as the client wrote them, where they are not the schema's.
   * @param broken Fields of the whole mode in which something is wrong already, by the schema's names:
   *   they were left out, so what is said of their absence would be false.
   */
  constructor(
    private readonly spelling: ReadonlyMap<string, string> = new Map(),
    private readonly broken: ReadonlySet<string> = new Set(),
  ) {}

  /** False if `antennas` is broken: then no list can be measured by it. */
  get antennasKnown(): boolean {
    return !this.broken.has('antennas') && !this.broken.has('beams');
  }

  get violations(): readonly Violation[] {
    return this.#violations;
  }

  add(field: string, message: string): void {
    if (this.broken.has(/^[^.[]+/.exec(field)?.[0] ?? '')) return;
    this.#violations.push({ field: asSpelled(field, this.spelling), message });
  }

  /** @returns true if `value` is an integer within the limits. */
  integer(field: string, value: unknown, minimum: number, maximum: number): value is number {
    const fits = Number.isInteger(value) && Number(value) >= minimum && Number(value) <= maximum;
    if (!fits) this.add(field, `${show(value)} is not an integer of ${minimum} to ${maximum}`);
    return fits;
  }
}

/** The path with its first name as the client wrote it. */
export function asSpelled(field: string, spelling: ReadonlyMap<string, string>): string {
  return field.replace(/^[^.[]+/, (name) => spelling.get(name) ?? name);
}

/** One value for all antennas, or one per antenna, as a list with one entry per antenna. */
export function perAntenna<T>(
  given: T | readonly T[],
  count: number,
  field: string,
  problems: Problems,
): T[] | undefined {
  if (!Array.isArray(given)) return Array.from({ length: count }, () => given as T);
  if (given.length === count) return [...given];
  if (problems.antennasKnown) {
    const entries = `${given.length} ${given.length === 1 ? 'entry' : 'entries'}`;
    problems.add(
      field,
      `has ${entries} for ${count} antennas: give one per antenna, or one value for all`,
    );
  }
  return undefined;
}

/**
 * A list for all antennas, or a list of lists with one per antenna.
 * @param one Compiles the list of one antenna; `field` is its path.
 */
export function listPerAntenna<T, U>(
  given: readonly T[] | readonly T[][],
  count: number,
  field: string,
  problems: Problems,
  one: (list: readonly T[], field: string) => U[],
): U[][] {
  const nested = Array.isArray(given[0]);
  const other = given.findIndex((entry) => Array.isArray(entry) !== nested);
  if (other >= 0) {
    const message = nested ? 'is not a list, as the first is' : 'is a list, as the first is not';
    problems.add(`${field}[${other}]`, message);
    return Array.from({ length: count }, () => []);
  }
  if (!nested) {
    const flat = one(given as readonly T[], field);
    return Array.from({ length: count }, () => flat);
  }
  const lists = (given as readonly T[][]).map((list, i) => one(list, `${field}[${i}]`));
  return perAntenna(lists, count, field, problems) ?? Array.from({ length: count }, () => []);
}
