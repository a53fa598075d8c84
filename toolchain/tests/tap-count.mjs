/** The tests of a TAP text: which there were, and which of them failed. */

/**
 * A test is the innermost thing that bears a name and holds assertions: a file's subtest, not
 * each of its assertions, and not the file around it. A file without subtests is one test. A file
 * that failed although all in it passed (by its time, or by what it threw at its end) is one too.
 *
 * @returns `{ file, name, ok }` of each, its name with those of all around it.
 */
export function testsOf(text) {
  const tests = [];
  // Depth of the last subtest that was closed: a parent's own result line comes right after its
  // children's, one level up, and is not counted again.
  const open = [];
  for (const line of text.split('\n')) {
    const subtest = /^( *)# Subtest: /.exec(line);
    if (subtest) {
      const name = line.slice(subtest[0].length);
      open.push({ name, depth: subtest[1].length, children: 0, failedWithin: false });
      continue;
    }
    const result = /^( *)(not )?ok \d+/.exec(line);
    if (!result || open.length === 0) continue;
    const last = open[open.length - 1];
    if (result[1].length !== last.depth) continue;
    const ok = result[2] === undefined;
    if (last.children === 0 || (!ok && !last.failedWithin)) {
      tests.push({ file: open[0].name, name: open.map(({ name }) => name).join(' > '), ok });
    }
    open.pop();
    const parent = open[open.length - 1];
    if (parent === undefined) continue;
    parent.children++;
    parent.failedWithin ||= !ok;
  }
  return tests;
}

/** @returns The outermost subtests that came to their end: files. */
export function filesOf(text) {
  return [...text.matchAll(/^(?:not )?ok \d+ - (\S+)/gm)].map(([, file]) => file);
}
