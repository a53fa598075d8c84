/** Counts the tests in a TAP file, and names those that failed. */
import { readFileSync } from 'node:fs';

/**
 * A test is the innermost thing that bears a name and holds assertions: a file's subtest, not
 * each of its assertions, and not the file around it. A file without subtests is one test.
 */
export function countTests(path) {
  let text;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    return { passed: 0, failed: 1, failures: [] };
  }
  const counts = { passed: 0, failed: 0, failures: [] };
  // Depth of the last subtest that was closed: a parent's own result line comes right after its
  // children's, one level up, and is not counted again.
  const open = [];
  for (const line of text.split('\n')) {
    const subtest = /^( *)# Subtest: /.exec(line);
    if (subtest) {
      const name = line.slice(subtest[0].length);
      open.push({ name, depth: subtest[1].length, children: 0 });
      continue;
    }
    const result = /^( *)(not )?ok \d+/.exec(line);
    if (!result || open.length === 0) continue;
    const last = open[open.length - 1];
    if (result[1].length !== last.depth) continue;
    if (last.children === 0) {
      counts[result[2] ? 'failed' : 'passed']++;
      if (result[2]) counts.failures.push(open.map(({ name }) => name).join(' > '));
    }
    open.pop();
    if (open.length > 0) open[open.length - 1].children++;
  }
  return counts;
}
