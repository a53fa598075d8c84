/** What a request makes of the cables. Pure. */
import { invalid, type Violation } from '../../shared/errors.js';
import type { CableLoss, CableLosses } from '../api/cable-loss.js';
import { joinPath } from '../api/validate.js';

const OF_ALL = ['cableLength', 'cableLossPerHundredFt'] as const;

/**
 * @param given Fits SetCableLosses: the two fields for all ports, objects for single ports, or both.
 * @throws INVALID naming every wrong field.
 */
export function changeCables(
  before: CableLosses,
  given: Partial<CableLoss> & Record<string, unknown>,
  ports: readonly number[],
): CableLosses {
  const problems: Violation[] = [];
  const { cableLength, cableLossPerHundredFt, ...single } = given;
  const next: CableLosses = { ...before };
  if (cableLength !== undefined && cableLossPerHundredFt !== undefined) {
    for (const port of ports) next[String(port)] = { cableLength, cableLossPerHundredFt };
  } else if (Object.keys(single).length === 0 || OF_ALL.some((key) => given[key] !== undefined)) {
    for (const field of OF_ALL) {
      if (given[field] === undefined) problems.push({ field, message: 'is required' });
    }
  }
  for (const [port, cable] of Object.entries(single)) {
    if (ports.some((one) => String(one) === port)) {
      const { cableLength: feet, cableLossPerHundredFt: loss } = cable as CableLoss;
      next[port] = { cableLength: feet, cableLossPerHundredFt: loss };
    } else {
      const message = `is not one of the radio's antenna ports ${ports.join(', ')}`;
      problems.push({ field: joinPath('', port), message });
    }
  }
  if (problems.length > 0) throw invalid(problems);
  return next;
}
