/** Options from environment variables; an empty variable counts as not set. */
import { configError, errorMessage } from '../shared/errors.js';
import type { GivenOptions } from './command-line.js';
import { environmentName, OPTIONS } from './option-table.js';
import { checkText } from './option-values.js';

/** Throws CONFIG. */
export function readEnvironment(env: NodeJS.ProcessEnv): GivenOptions {
  const options: GivenOptions = {};
  for (const spec of OPTIONS) {
    const name = environmentName(spec.name);
    const text = env[name];
    if (text === undefined || text === '') continue;
    try {
      options[spec.name] = checkText(spec, text);
    } catch (error) {
      throw configError(`${name}: ${errorMessage(error)}`);
    }
  }
  return options;
}
