/** What package-lock.json has for those who run the program. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** @returns All but tools and the workspace that names them: `{path, version, license, ...}`, sorted. */
export function lockedPackages(root) {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  return Object.entries(packages)
    .filter(([path, { dev, link }]) => path.startsWith('node_modules/') && !dev && !link)
    .map(([path, entry]) => ({ path, ...entry }))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}
