/** The counts that `npm test` prints last are true, however a file of tests ends. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import t from 'tap';
import { PACKAGE_ROOT } from '../../src/shared/package-info.js';

interface Counted {
  file: string;
  name: string;
  ok: boolean;
}

interface TapCount {
  testsOf: (text: string) => Counted[];
  filesOf: (text: string) => string[];
}

function load(): Promise<TapCount> {
  return import(pathToFileURL(join(PACKAGE_ROOT, 'toolchain/tests/tap-count.mjs')).href);
}

const TAP = `TAP version 14
# Subtest: whole.js
    # Subtest: innermost
        ok 1 - an assertion
        ok 2 - another
        1..2
    ok 1 - innermost # time=1ms
    # Subtest: a group
        # Subtest: within
            not ok 1 - an assertion
            1..1
        not ok 1 - within # time=1ms
        1..1
    not ok 2 - a group # time=1ms
    1..2
not ok 1 - whole.js # time=3ms

# Subtest: bad-end.js
    # Subtest: fine by itself
        ok 1 - an assertion
        1..1
    ok 1 - fine by itself # time=1ms
    1..1
    # failed 1 of 1 tests
not ok 2 - bad-end.js # time=3ms

# Subtest: flat.js
    ok 1 - an assertion
    1..1
ok 3 - flat.js # time=3ms
1..3
`;

t.test('tests are counted by their innermost names', async (t) => {
  const { testsOf } = await load();
  t.strictSame(testsOf(TAP), [
    { file: 'whole.js', name: 'whole.js > innermost', ok: true },
    { file: 'whole.js', name: 'whole.js > a group > within', ok: false },
    { file: 'bad-end.js', name: 'bad-end.js > fine by itself', ok: true },
    { file: 'bad-end.js', name: 'bad-end.js', ok: false },
    { file: 'flat.js', name: 'flat.js', ok: true },
  ]);
});

t.test('a process that ended early has finished the files before', async (t) => {
  const [first] = TAP.split('# Subtest: bad-end.js');
  const { filesOf } = await load();
  t.strictSame(filesOf(TAP), ['whole.js', 'bad-end.js', 'flat.js']);
  t.strictSame(filesOf(`${first}# Subtest: bad-end.js\n    # Subtest: fine`), ['whole.js']);
});
