/** The inputs and outputs of a reader that has none. */
import { SingulateError } from '../../shared/errors.js';
import type { Lines } from './lines.js';

export const NO_LINES: Lines = {
  gpis: new Map(),
  gpos: new Map(),
  setGpo: async (port) => {
    throw new SingulateError('INVALID', `this reader has no output ${port}`);
  },
  onChange: () => () => {},
};
