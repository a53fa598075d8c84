/** Why a package is not installed. */
import { invalid, type SingulateError } from '../../../shared/errors.js';
import { show } from '../../api/validate.js';

/** @param path In the package; undefined: it is about the package as a whole. */
export function packageError(message: string, path?: string): SingulateError {
  const what = path === undefined ? '' : `${show(path)} `;
  return invalid([{ field: 'filename', message: `the package is refused: ${what}${message}` }]);
}
