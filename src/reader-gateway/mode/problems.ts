/** Collects everything that is wrong with a mode, so that one answer names it all. */
import type { Violation } from '../../shared/errors.js';
import { show } from '../api/validate.js';

export class Problems {
  readonly violations: Violation[] = [];

  /** @param antennasKnown False if `antennas` is broken: then no list can be measured by it. */
  constructor(readonly antennasKnown = true) {}

  add(field: string, message: string): void {
    this.violations.push({ field, message });
  }

  /** A value of the interface that this version does not have: never accepted and ignored. */
  unsupported(field: string, given?: unknown): void {
    const what = given === undefined ? 'is' : `${show(given)} is`;
    this.add(field, `${what} not supported by this version`);
  }

  /** @returns true if `value` is an integer within the limits. */
  integer(field: string, value: unknown, minimum: number, maximum: number): value is number {
    const fits = Number.isInteger(value) && Number(value) >= minimum && Number(value) <= maximum;
    if (!fits) this.add(field, `${show(value)} is not an integer of ${minimum} to ${maximum}`);
    return fits;
  }
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
