/** The lanes of the checks: what they count, what is run again, and what may be left out in CI. */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { PACKAGE_ROOT } from '../../src/shared/package-info.js';

/** Each says in `ran` that it was run. */
const TABLE = `
const sh = (name, text) => ['sh', '-c', 'echo ' + name + ' "$0" $KIND >> ran; ' + text];
export const COMMON_INPUTS = ['toolchain'];
export const NO_INPUTS = ['toolchain/proved.json'];
export const LANES = [
  { name: 'first', about: 'a', command: sh('first', 'echo 3 passed, 0 failed'), inputs: ['src'],
    track: 'alone', ci: { always: true } },
  { name: 'silent', about: 'b', command: sh('silent', 'true'), inputs: ['src'], track: 'a',
    args: ['whole'], ci: { args: ['short'], env: { KIND: 'bounded' } } },
  { name: 'native', about: 'c', command: sh('native', '! test -e broken'), inputs: ['native'],
    track: 'b', ci: {} },
  { name: 'far', about: 'd', command: sh('far', 'echo 5 passed, 0 failed'), inputs: ['src'],
    track: 'a' },
];
export const BUILD = { name: 'build', command: ['true'] };
export const commandOf = ({ command, args = [], ci }, inCi) =>
  [...command, ...(inCi ? (ci.args ?? args) : args)];
`;

class Checkout {
  readonly #root: string;

  constructor(t: Test) {
    this.#root = t.testdir({
      '.gitignore': 'ran\nout/\n',
      native: { 'a.cpp': '' },
      src: { 'a.ts': '' },
    });
    const toolchain = join(this.#root, 'toolchain');
    cpSync(join(PACKAGE_ROOT, 'toolchain'), toolchain, { recursive: true });
    this.write('toolchain/lanes/table.mjs', TABLE);
    this.write('toolchain/proved.json', '{}');
    this.git('init', '-q');
    this.commit();
  }

  git(...args: string[]): string {
    const as = ['-c', 'user.name=a', '-c', 'user.email=a@example.com'];
    return execFileSync('git', [...as, ...args], { cwd: this.#root, encoding: 'utf8' }).trim();
  }

  commit(): string {
    this.git('add', '-A');
    this.git('commit', '-q', '--allow-empty', '-m', 'x');
    return this.git('rev-parse', 'HEAD');
  }

  write(path: string, text: string): void {
    mkdirSync(join(this.#root, path, '..'), { recursive: true });
    writeFileSync(join(this.#root, path), text);
  }

  proofs(): Record<string, { commit: string; inputs: string; date: string; whole: boolean }> {
    return JSON.parse(readFileSync(join(this.#root, 'toolchain/proved.json'), 'utf8'));
  }

  /** @returns What it printed last, and the lanes that were run, sorted. */
  lanes(...args: string[]): { last: string; ran: string[]; status: number | null; all: string } {
    this.write('ran', '');
    const script = join(this.#root, 'toolchain/lanes.mjs');
    const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...args], {
      encoding: 'utf8',
    });
    const ran = readFileSync(join(this.#root, 'ran'), 'utf8').split('\n');
    return {
      status,
      all: stdout + stderr,
      last: stdout.trim().split('\n').at(-1) ?? '',
      ran: ran
        .map((line) => line.trim())
        .filter((line) => line !== '')
        .sort(),
    };
  }
}

t.test('counts are summed; a lane without any counts as one, failed or not', (t) => {
  const checkout = new Checkout(t);
  const good = checkout.lanes();
  t.equal(good.last, '10 passed, 0 failed', good.all);
  t.equal(good.status, 0);
  t.match(good.all, /first \| 3 passed, 0 failed/);
  checkout.write('broken', '');
  const bad = checkout.lanes();
  t.equal(bad.last, '9 passed, 1 failed', bad.all);
  t.equal(bad.status, 1);
  t.end();
});

t.test('what passed on this very content is not run again unless asked for', (t) => {
  const checkout = new Checkout(t);
  checkout.write('broken', '');
  checkout.commit();
  t.equal(checkout.lanes().last, '9 passed, 1 failed');
  const resumed = checkout.lanes();
  t.equal(resumed.last, '9 passed, 1 failed', 'what failed is');
  t.equal(resumed.ran.length, 1);
  t.match(resumed.ran[0], /^native/);
  t.equal(checkout.lanes('--again').ran.length, 4);
  checkout.write('src/a.ts', 'changed');
  t.equal(checkout.lanes('far', 'first').ran.length, 2, 'files differ from the commit');
  t.equal(checkout.lanes('far').ran.length, 1, 'and nothing is kept of that');
  t.end();
});

t.test('lanes have names, and a wrong one is refused with those allowed', (t) => {
  const checkout = new Checkout(t);
  t.strictSame(checkout.lanes('far').ran.length, 1);
  const { status, all } = checkout.lanes('fra');
  t.equal(status, 2);
  t.match(all, /lane: fra given; allowed: first, silent, native, far/);
  t.match(checkout.lanes('--ci', 'far').all, /far given; allowed: first, silent, native\n/);
  t.end();
});

t.test('CI runs its lanes bounded, whatever passed here before', (t) => {
  const checkout = new Checkout(t);
  checkout.lanes();
  const { ran, last } = checkout.lanes('--ci');
  t.equal(last, '5 passed, 0 failed');
  t.match(ran.join(), /silent short bounded/);
  t.notMatch(ran.join(), /far/);
  t.end();
});

t.test('CI leaves out, and names, what was proved on the same inputs; but never the first', (t) => {
  const checkout = new Checkout(t);
  const commit = checkout.git('rev-parse', 'HEAD');
  checkout.lanes('--record');
  t.equal(checkout.proofs().native?.commit, commit);
  checkout.write('src/a.ts', 'changed');
  checkout.commit();
  const { ran, last, all } = checkout.lanes('--ci');
  t.equal(ran.length, 2);
  t.match(ran.join(), /first.*silent/);
  t.equal(last, '4 passed, 0 failed');
  t.match(all, `== native: left out: 1 passed at ${commit}`);

  checkout.write('native/a.cpp', 'changed');
  t.equal(checkout.lanes('--ci').ran.length, 3, 'nothing is left out of what is not committed');
  checkout.commit();
  t.equal(checkout.lanes('--ci').ran.length, 3);
  t.end();
});

t.test('a record that is old, or not of the inputs that it names, does not count', (t) => {
  const checkout = new Checkout(t);
  checkout.lanes('--record');
  const proofs = checkout.proofs();
  const change = (key: string, value: string) => {
    const native = { ...proofs.native, [key]: value };
    checkout.write('toolchain/proved.json', JSON.stringify({ ...proofs, native }));
    checkout.commit();
  };
  change('date', '2020-01-01');
  t.equal(checkout.lanes('--ci').ran.length, 2, 'proved too long ago');
  t.equal(checkout.lanes('--check').status, 0);
  change('inputs', '00');
  t.equal(checkout.lanes('--ci').ran.length, 2, 'proved on something else');
  const { status, all } = checkout.lanes('--check');
  t.equal(status, 1);
  t.match(all, /^native: other inputs at /);
  t.end();
});

t.test('what is recorded is a commit, and says whether the lane ran whole', (t) => {
  const checkout = new Checkout(t);
  checkout.write('src/a.ts', 'changed');
  t.match(checkout.lanes('--record').all, /--record takes a checkout without changes/);
  t.strictSame(checkout.proofs(), {});
  checkout.commit();
  checkout.lanes('--ci', '--record');
  t.equal(checkout.proofs().silent?.whole, false);
  checkout.lanes('--record');
  t.equal(checkout.proofs().silent?.whole, true);
  t.equal(checkout.lanes().ran.length, 0, 'all of it passed whole');
  t.end();
});
