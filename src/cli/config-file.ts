/** Options from a JSON file. Its relative paths count from the folder of the file. */
import { dirname, resolve } from 'node:path';
import { readJsonFile } from '../shared/atomic-file.js';
import { configError, errorMessage } from '../shared/errors.js';
import type { GivenOptions } from './command-line.js';
import { OPTIONS, type OptionSpec } from './option-table.js';
import { checkValue } from './option-values.js';

export interface ConfigFile {
  path: string;
  /** The user named it: it must be there, and it may set the state dir. */
  named: boolean;
}

/** Throws CONFIG. */
export async function readConfigFile({ path, named }: ConfigFile): Promise<GivenOptions> {
  let content: unknown;
  try {
    content = await readJsonFile(path);
  } catch (error) {
    const reason = errorMessage(error).replaceAll('\n', ' ');
    throw configError(`config file ${path} cannot be read: ${reason}`);
  }
  if (content === undefined) {
    if (named) throw configError(`config file ${path} does not exist`);
    return {};
  }
  if (typeof content !== 'object' || content === null || Array.isArray(content)) {
    throw configError(`config file ${path}: allowed: one JSON object`);
  }
  const options: GivenOptions = {};
  for (const [key, value] of Object.entries(content)) {
    const spec: OptionSpec | undefined = OPTIONS.find(({ name }) => name === key);
    const allowed = allowedKeys(named);
    if (spec === undefined || !allowed.includes(key)) {
      throw configError(
        `config file ${path}: ${key} is not allowed; allowed: ${allowed.join(', ')}`,
      );
    }
    try {
      options[key as keyof GivenOptions] = fromFolder(spec, checkValue(spec, value), path);
    } catch (error) {
      throw configError(`config file ${path}: ${key}: ${errorMessage(error)}`);
    }
  }
  return options;
}

/** A file found through the state dir cannot say where that is. */
function allowedKeys(named: boolean): string[] {
  return OPTIONS.map(({ name }) => name as string).filter(
    (name) => name !== 'config' && (named || name !== 'state-dir'),
  );
}

function fromFolder<T>(spec: OptionSpec, value: T, file: string): T | string {
  const isFile = spec.kind === 'path' || (spec.kind === 'source' && /[/.]/.test(String(value)));
  return isFile ? resolve(dirname(file), String(value)) : value;
}
