/** Which lanes passed, whole, on which content: what was done before an interruption. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ROOT } from '../build.mjs';

const FILE = join(ROOT, 'out/lanes/passed.json');

/** @returns By the names of lanes, what they counted on this very content. */
export function passedOn(tree, file = FILE) {
  try {
    const kept = JSON.parse(readFileSync(file, 'utf8'));
    return kept.tree === tree && kept.node === process.version ? kept.lanes : {};
  } catch {
    return {};
  }
}

/** Adds one to them. */
export function keepPassed(tree, name, counts, file = FILE) {
  const lanes = { ...passedOn(tree, file), [name]: counts };
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify({ tree, node: process.version, lanes }, null, 2));
}
