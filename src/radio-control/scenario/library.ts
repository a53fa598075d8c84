/** The scenarios that come with the product, by name. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { PACKAGE_ROOT } from '../../shared/package-info.js';

const FOLDER = join(PACKAGE_ROOT, 'src/radio-control/scenario/library');

export function scenarioNames(): string[] {
  return readdirSync(FOLDER)
    .filter((name) => name.endsWith('.json'))
    .map((name) => name.slice(0, -'.json'.length))
    .sort();
}

/** A name has no folder and no ending; everything else is a path. */
export function isScenarioName(nameOrFile: string): boolean {
  return /^[\w-]+$/.test(nameOrFile);
}

export function scenarioFile(name: string): string {
  return join(FOLDER, `${name}.json`);
}
