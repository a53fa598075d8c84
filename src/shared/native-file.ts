/** Where what was compiled for this machine lies. */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { configError, errorMessage } from './errors.js';
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

const ADDON = 'singulate.node';

/**
 * Loads the native core: the file that SINGULATE_ADDON names, or else the first build there is.
 * Throws a CONFIG error with one line if none loads.
 * @returns What native/addon/addon.cpp exports.
 */
export function loadNative(): unknown {
  const named = process.env.SINGULATE_ADDON;
  const candidates = named ? [named] : builtFiles(ADDON);
  const require = createRequire(import.meta.url);
  const reasons: string[] = [];
  for (const path of candidates) {
    try {
      return require(path);
    } catch (error) {
      reasons.push(`${path}: ${errorMessage(error).split('\n')[0]}`);
    }
  }
  const why =
    reasons.length > 0 ? reasons.join('; ') : `none of ${placesOf(ADDON).join(', ')} exists`;
  throw configError(`the native core does not load (${why}); build it with: npm run build`);
}
