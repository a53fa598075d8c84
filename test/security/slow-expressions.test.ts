/** Regular expressions of the id filter that would take the reader's time are refused. */
import { Script } from 'node:vm';
import t from 'tap';
import { troubleWith } from '../../src/radio-control/plan/id-filter-settings.js';

const SLOW = [
  '^(.*)*$X',
  '^(0+)+$',
  '^(0|0?)+$',
  '^([0-9A-F]+)*Z',
  '(.*a){25}b',
  '^((0{1,9}){1,9}){1,9}Z',
];
const FAST = ['^3034', '^30(34|35)[0-9A-F]{20}$', '[02468ACE]$', '^(00)+$|FF'];

t.test('those that are slow on an id are refused, in bounded time', async (t) => {
  const before = process.cpuUsage();
  for (const expression of SLOW) t.match(troubleWith(expression), /.+/, expression);
  const { user } = process.cpuUsage(before);
  t.ok(user < 1_000_000 * SLOW.length, `${user / 1000} ms of the processor`);
});

t.test('those that are quick are taken', async (t) => {
  for (const expression of FAST) t.equal(troubleWith(expression), undefined, expression);
});

t.test('a machine that has no time for a trial is not taken for a slow expression', async (t) => {
  const { prototype } = Script;
  const { runInContext } = prototype;
  t.teardown(() => {
    prototype.runInContext = runInContext;
  });
  const clock = new Int32Array(new SharedArrayBuffer(4));
  let held = 4;
  prototype.runInContext = function (this: Script, ...args) {
    if (held-- <= 0) return runInContext.apply(this, args);
    // It has begun, time passes, and no processor is there.
    runInContext.apply(this, args);
    Atomics.wait(clock, 0, 0, args[1]?.timeout);
    throw new Error('Script execution timed out');
  };
  t.equal(troubleWith('^3034'), undefined);
  t.ok(held < 0, 'it was tried again');
});

t.test('those that are none, or too long, are refused', async (t) => {
  for (const expression of ['(', '[', '*', '', 'a'.repeat(100_000)]) t.ok(troubleWith(expression));
});
