/**
 * Options of a service from a file: JSON with comments, each option by its name without the dashes.
 * What the command line says wins.
 */
import { readFile } from 'node:fs/promises';
import type { ParseError } from 'jsonc-parser';
import { configError, errorMessage } from './errors.js';

const OPTION = '--config';

/**
 * @param args May have `--config FILE` (or `--config=FILE`) once.
 * @param parse Makes options of a command line. @throws CONFIG
 */
export async function withOptionFile<Options>(
  args: readonly string[],
  parse: (args: string[]) => Options,
): Promise<Options> {
  const { file, rest } = splitOff(args);
  if (file === undefined) return parse(rest);
  const fromFile = await readOptionFile(file);
  try {
    return parse([...fromFile, ...rest]);
  } catch (error) {
    throw configError(`with the options of ${file}: ${errorMessage(error)}`);
  }
}

function splitOff(args: readonly string[]): { file: string | undefined; rest: string[] } {
  const rest: string[] = [];
  let file: string | undefined;
  for (let i = 0; i < args.length; i++) {
    const argument = args[i] as string;
    const isAlone = argument === OPTION;
    if (!isAlone && !argument.startsWith(`${OPTION}=`)) {
      rest.push(argument);
      continue;
    }
    if (file !== undefined) throw configError(`${OPTION} is given twice; allowed: once`);
    file = isAlone ? args[++i] : argument.slice(OPTION.length + 1);
    if (!file || file.startsWith('--'))
      throw configError(`${OPTION}: the name of a file is missing`);
  }
  return { file, rest };
}

/** As arguments of a command line. */
async function readOptionFile(file: string): Promise<string[]> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    throw configError(`${OPTION}: ${file} cannot be read: ${errorMessage(error)}`);
  }
  // With all options on the command line this need not be loaded.
  const { parse, printParseErrorCode } = await import('jsonc-parser');
  const errors: ParseError[] = [];
  const content: unknown = parse(text, errors, { allowTrailingComma: true });
  const [first] = errors;
  if (first !== undefined) {
    const line = text.slice(0, first.offset).split('\n').length;
    throw configError(`${file}, line ${line}: ${printParseErrorCode(first.error)}`);
  }
  if (typeof content !== 'object' || content === null || Array.isArray(content)) {
    throw configError(`${file}: allowed: one JSON object`);
  }
  return Object.entries(content).flatMap(([name, value]) => argumentsOf(file, name, value));
}

function argumentsOf(file: string, name: string, value: unknown): string[] {
  if (`--${name}` === OPTION || !/^[a-z][a-z0-9-]*$/.test(name)) {
    throw configError(`${file}: ${name} is no option that can stand in a file`);
  }
  if (value === true) return [`--${name}`];
  if (value === false) return [];
  if (typeof value === 'string' || typeof value === 'number') return [`--${name}=${value}`];
  throw configError(`${file}: ${name}: allowed: a text, a number, true or false`);
}
