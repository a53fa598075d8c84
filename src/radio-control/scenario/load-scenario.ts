/** Reads a scenario and makes of it what the virtual radio takes. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { configError, errorMessage, type Violation } from '../../shared/errors.js';
import { expandScenario } from './expand.js';
import { isScenarioName, scenarioFile, scenarioNames } from './library.js';
import type { Scenario } from './schema.js';
import type { VirtualField } from './virtual-field.js';

export type { VirtualField } from './virtual-field.js';

/**
 * @param nameOrFile A name of the library, or the path of a JSON file.
 * @throws CONFIG: one line that names the file and every wrong field.
 */
export async function loadScenario(nameOrFile: string): Promise<VirtualField> {
  const file = findScenario(nameOrFile);
  const scenario = parse(await read(file), file);
  // Those of the library passed their checks in the tests. Loading the checks takes longer than
  // all the rest, and a reader that starts is in a hurry.
  if (!isOfLibrary(nameOrFile)) {
    const { checkScenario } = await import('./check-scenario.js');
    await refuse(file, checkScenario(scenario));
  }
  const faults: Violation[] = [];
  const field = expandScenario(scenario as Scenario, faults);
  await refuse(file, faults);
  return field;
}

async function refuse(file: string, faults: readonly Violation[]): Promise<void> {
  if (faults.length === 0) return;
  const { faultsLine } = await import('./check-schema.js');
  throw configError(faultsLine('scenario', file, faults));
}

function isOfLibrary(nameOrFile: string): boolean {
  return isScenarioName(nameOrFile) && scenarioNames().includes(nameOrFile);
}

/** The file of a scenario. Throws CONFIG for a name that is neither in the library nor a file. */
export function findScenario(nameOrFile: string): string {
  if (isOfLibrary(nameOrFile)) return scenarioFile(nameOrFile);
  if (!isScenarioName(nameOrFile) || existsSync(nameOrFile)) return nameOrFile;
  const names = scenarioNames().join(', ');
  throw configError(
    `scenario "${nameOrFile}" is not known; allowed: ${names}, or the path of a JSON file`,
  );
}

async function read(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw configError(`scenario ${file} cannot be read: ${errorMessage(error)}`);
  }
}

function parse(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    // The parser's message may quote lines of the file; the user gets one line.
    throw configError(`scenario ${file} is not JSON: ${errorMessage(error).replaceAll('\n', ' ')}`);
  }
}
