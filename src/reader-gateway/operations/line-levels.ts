/** Levels of lines as the interface shows them. */
import { SingulateError } from '../../shared/errors.js';
import type { Level } from '../io/lines.js';
import type { RadioLines } from '../io/radio-lines.js';

/** @throws UNAVAILABLE where the levels of now are not known. */
export function lineLevels(lines: RadioLines, which: 'gpis' | 'gpos'): Record<string, Level> {
  if (lines.trouble !== '') throw new SingulateError('UNAVAILABLE', lines.trouble);
  return Object.fromEntries(lines[which]);
}
