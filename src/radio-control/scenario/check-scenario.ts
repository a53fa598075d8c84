/** All checks of a scenario before it is expanded. */
import type { Violation } from '../../shared/errors.js';
import { findFaults } from './check-schema.js';
import { findRuleFaults } from './rules.js';
import { Scenario } from './schema.js';

/** @returns every fault of the form, or else every fault of the rules behind it. */
export function checkScenario(value: unknown): Violation[] {
  const faults = findFaults(Scenario, value);
  return faults.length > 0 ? faults : findRuleFaults(value as Scenario);
}
