/** Counts the tests in a TAP file. */
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
    return { passed: 0, failed: 1 };
  }
  const counts = { passed: 0, failed: 0 };
  // Depth of the last subtest that was closed: a parent's own result line comes right after its
  // children's, one level up, and is not counted again.
  const open = [];
  for (const line of text.split('\n')) {
    const subtest = /^( *)# Subtest: /.exec(line);
    if (subtest) {
      open.push({ depth: subtest[1].length, children: 0 });
      continue;
    }
    const result = /^( *)(not )?ok \d+/.exec(line);
    if (!result || open.length === 0) continue;
    const last = open[open.length - 1];
    if (result[1].length !== last.depth) continue;
    open.pop();
    if (open.length > 0) open[open.length - 1].children++;
    if (last.children === 0) counts[result[2] ? 'failed' : 'passed']++;
  }
  return counts;
}
