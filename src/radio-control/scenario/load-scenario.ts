/** Reads a scenario and makes of it what the virtual radio takes. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { configError, errorMessage } from '../../shared/errors.js';
import { faultsLine, findFaults } from './check-schema.js';
import { expandScenario } from './expand.js';
import { isScenarioName, scenarioFile, scenarioNames } from './library.js';
import { findRuleFaults } from './rules.js';
import { Scenario } from './schema.js';
import type { VirtualField } from './virtual-field.js';

export type { VirtualField } from './virtual-field.js';

/**
 * @param nameOrFile A name of the library, or the path of a JSON file.
 * @throws CONFIG: one line that names the file and every wrong field.
 */
export async function loadScenario(nameOrFile: string): Promise<VirtualField> {
  const file = findScenario(nameOrFile);
  const scenario = parse(await read(file), file);
  const faults = findFaults(Scenario, scenario);
  if (faults.length === 0) faults.push(...findRuleFaults(scenario as Scenario));
  if (faults.length > 0) throw configError(faultsLine('scenario', file, faults));
  const field = expandScenario(scenario as Scenario, faults);
  if (faults.length > 0) throw configError(faultsLine('scenario', file, faults));
  return field;
}

/** The file of a scenario. Throws CONFIG for a name that is neither in the library nor a file. */
export function findScenario(nameOrFile: string): string {
  if (!isScenarioName(nameOrFile)) return nameOrFile;
  const names = scenarioNames();
  if (names.includes(nameOrFile)) return scenarioFile(nameOrFile);
  if (existsSync(nameOrFile)) return nameOrFile;
  throw configError(
    `scenario "${nameOrFile}" is not known; allowed: ${names.join(', ')}, or the path of a JSON file`,
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
