/** Sizes of batching and retention, which may be texts such as "256KB". Pure. */
import type { Violation } from '../../shared/errors.js';
import type { Batching, Retention } from '../api/connection.js';
import { LARGEST_MESSAGE_BYTES, LARGEST_SPILL_BYTES, parseSize } from '../api/sizes.js';
import { joinPath, show } from '../api/validate.js';

export interface Sized {
  batching?: Batching | undefined;
  retention?: Retention | undefined;
}

/** @param field Where batching and retention stand, in messages. */
export function sizeProblems({ batching, retention }: Sized, field: string): Violation[] {
  return [
    ...outside(
      batching?.maxPayloadSizePerReport,
      joinPath(joinPath(field, 'batching'), 'maxPayloadSizePerReport'),
      [-1, LARGEST_MESSAGE_BYTES],
    ),
    ...outside(retention?.maxSpillSize, joinPath(joinPath(field, 'retention'), 'maxSpillSize'), [
      1,
      LARGEST_SPILL_BYTES,
    ]),
  ];
}

function outside(
  size: number | string | undefined,
  field: string,
  [smallest, largest]: readonly [number, number],
): Violation[] {
  if (size === undefined) return [];
  const bytes = parseSize(size);
  if (bytes < smallest) {
    return [{ field, message: `${show(size)} is below the minimum of ${smallest} bytes` }];
  }
  if (bytes <= largest) return [];
  return [{ field, message: `${show(size)} is above the maximum of ${largest} bytes` }];
}
