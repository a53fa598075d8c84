/**
 * Which test files share a process. Files of one folder do, a few of them: what they need is loaded once.
 * A file of which a line begins with `// alone:` (and says why) has a process for itself.
 */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** So few that the last processes to end leave no processor idle for long. */
const MOST_FILES = 8;

/**
 * @param root Of the project.
 * @param files Paths of test files (.ts) from there.
 * @returns Lists of them: first those that take long, which are those of their own.
 */
export function unitsOf(root, files) {
  const alone = [];
  const byFolder = new Map();
  for (const file of files) {
    if (/^\/\/ alone: ./m.test(readFileSync(join(root, file), 'utf8'))) {
      alone.push([file]);
      continue;
    }
    const folder = dirname(file);
    byFolder.set(folder, [...(byFolder.get(folder) ?? []), file]);
  }
  const shared = [...byFolder.values()].flatMap((ofFolder) => {
    const units = Math.ceil(ofFolder.length / MOST_FILES);
    // Dealt out in turn: neighbours by name are alike, and those that take long are spread.
    return Array.from({ length: units }, (_, unit) =>
      ofFolder.filter((_file, index) => index % units === unit),
    );
  });
  return [...alone, ...shared.sort((a, b) => b.length - a.length)];
}
