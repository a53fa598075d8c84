/** Where what was compiled for this machine lies. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { PACKAGE_ROOT } from './package-info.js';

/** The first is that of an installed package. */
const FOLDERS = ['', 'out/host', 'out/cmake-js/Release', 'out/cmake-js', 'build/Release'];

/** All builds of it that there are, the one to be used first. */
export function builtFiles(name: string): string[] {
  return placesOf(name)
    .map((path) => join(PACKAGE_ROOT, path))
    .filter((path) => existsSync(path));
}

/** Where it is looked for, below the root of the package. */
export function placesOf(name: string): string[] {
  return FOLDERS.map((folder) => join(folder, name));
}
