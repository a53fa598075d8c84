/** delayBetweenAntennaCycles: the carrier off after a cycle that brought nothing. */
import { CycleDelay } from '../../contract/messages.js';
import type { ReaderModel } from '../../shared/reader-model/reader-model.js';
import type { OperatingMode } from '../api/mode.js';
import type { Problems } from './problems.js';

export function compileCycleDelay(
  mode: OperatingMode,
  model: ReaderModel,
  problems: Problems,
): { kind: number; durationMs: number } {
  const { type, duration } = mode.delayBetweenAntennaCycles ?? model.delayBetweenAntennaCycles;
  const field = 'delayBetweenAntennaCycles.duration';
  if (type === 'DISABLED' && duration !== 0) {
    problems.add(field, 'must be 0 with type DISABLED');
  } else if (type !== 'DISABLED' && duration === 0) {
    problems.add(field, `must not be 0 with type ${type}`);
  }
  const kind = type === 'DISABLED' ? CycleDelay.Kind.NONE : CycleDelay.Kind[type];
  return { kind, durationMs: duration };
}
