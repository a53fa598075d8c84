import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { Cached } from '../../src/shared/cached.js';

/** Looks that end when they are told to. */
function looks() {
  const open: { give(value: string): void; fail(error: Error): void }[] = [];
  const find = () =>
    new Promise<string>((resolve, reject) => open.push({ give: resolve, fail: reject }));
  return { open, find };
}

t.test('all who ask at the same time wait for one look', async (t) => {
  const { open, find } = looks();
  const cached = new Cached(find, 60_000);
  const asked = [cached.read(), cached.read()];
  open[0]?.give('one');
  t.same(await Promise.all(asked), ['one', 'one']);
  t.equal(await cached.read(), 'one');
  t.equal(open.length, 1);
});

t.test('a value of half its age is still given, while the next one is looked for', async (t) => {
  const { open, find } = looks();
  const cached = new Cached(find, 2000);
  const first = cached.read();
  open[0]?.give('one');
  await first;
  await sleep(1050);
  t.equal(await cached.read(), 'one', 'nobody waits');
  t.equal(await cached.read(), 'one');
  t.equal(open.length, 2, 'one look for the next');
  open[1]?.give('two');
  await sleep(1);
  t.equal(await cached.read(), 'two');
});

t.test('a value that is too old is waited for, also if its look failed before', async (t) => {
  const { open, find } = looks();
  const cached = new Cached(find, 20);
  const first = cached.read();
  open[0]?.give('one');
  await first;
  await sleep(25);
  const second = cached.read();
  open[1]?.fail(new Error('no'));
  await t.rejects(second, { message: 'no' });
  const third = cached.read();
  open[2]?.give('three');
  t.equal(await third, 'three');
});

t.test('what is forgotten is not given again, nor what was looked for before', async (t) => {
  const { open, find } = looks();
  const cached = new Cached(find, 60_000);
  const before = cached.read();
  cached.forget();
  const after = cached.read();
  open[0]?.give('before');
  open[1]?.give('after');
  t.equal(await before, 'before');
  t.equal(await after, 'after');
  t.equal(await cached.read(), 'after');
});
