/** Log files are bounded, and what is lost is told. */
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { RotatingFile } from '../../src/shared/rotating-file.js';
import { temporaryFolder } from './reader.js';

const lossLine = (lost: number) => `lost ${lost}`;

t.test('the newest lines are kept, in files of limited size and number', async (t) => {
  const folder = temporaryFolder(t);
  const path = join(folder, 'logs', 'a.log');
  const file = new RotatingFile({ path, maxBytes: 1000, files: 3, lossLine });
  for (let i = 0; i < 1000; i++) {
    file.write(`line ${String(i).padStart(4, '0')}\n`);
    if (i % 50 === 0) await file.flush();
  }
  await file.close();
  const names = readdirSync(join(folder, 'logs')).sort();
  t.same(names, ['a.log', 'a.log.1', 'a.log.2']);
  for (const name of names) t.ok(statSync(join(folder, 'logs', name)).size <= 1000, name);
  const text = ['a.log.2', 'a.log.1', 'a.log'].map((name) =>
    readFileSync(join(folder, 'logs', name), 'utf8'),
  );
  const lines = text.join('').trimEnd().split('\n');
  t.ok(lines.length > 200);
  const expected = lines.map((_, i) => `line ${String(1000 - lines.length + i).padStart(4, '0')}`);
  t.same(lines, expected);
  t.equal(file.lost, 0);
  t.equal(statSync(path).mode & 0o777, 0o640);
});

t.test('a file goes on where the run before ended', async (t) => {
  const path = join(temporaryFolder(t), 'a.log');
  for (const line of ['one\n', 'two\n']) {
    const file = new RotatingFile({ path, maxBytes: 1000, files: 1, lossLine });
    file.write(line);
    await file.close();
  }
  t.equal(readFileSync(path, 'utf8'), 'one\ntwo\n');
});

t.test('one file alone starts over when it is full', async (t) => {
  const path = join(temporaryFolder(t), 'a.log');
  const file = new RotatingFile({ path, maxBytes: 10, files: 1, lossLine });
  for (const line of ['first\n', 'second\n']) file.write(line);
  await file.close();
  t.equal(readFileSync(path, 'utf8'), 'second\n');
});

t.test('lines that find no room to wait are lost and counted in the file', async (t) => {
  const path = join(temporaryFolder(t), 'a.log');
  const options = { path, maxBytes: 10_000, files: 2, lossLine, maxWaitingBytes: 100 };
  const file = new RotatingFile(options);
  for (let i = 0; i < 30; i++) file.write(`${String(i).padStart(9, '0')}\n`);
  t.equal(file.lost, 20);
  await file.flush();
  file.write('again\n');
  await file.close();
  t.equal(file.lost, 20);
  t.match(readFileSync(path, 'utf8'), /^(0000\d{5}\n){10}lost 20\nagain\n$/);
});

t.test('a disk that fails loses lines, and is told once it is well', async (t) => {
  const folder = temporaryFolder(t);
  const logs = join(folder, 'logs');
  writeFileSync(logs, 'a file in the place of the folder');
  const file = new RotatingFile({ path: join(logs, 'a.log'), maxBytes: 1000, files: 2, lossLine });
  file.write('one\n');
  file.write('two\n');
  await file.flush();
  t.equal(file.lost, 2);
  rmSync(logs);
  file.write('three\n');
  await file.close();
  t.equal(readFileSync(join(logs, 'a.log'), 'utf8'), 'three\nlost 2\n');
});

t.test('a file that somebody removed begins again', async (t) => {
  const path = join(temporaryFolder(t), 'a.log');
  const file = new RotatingFile({ path, maxBytes: 1000, files: 2, lossLine });
  file.write('old\n');
  await file.flush();
  rmSync(path);
  file.write('new\n');
  await file.close();
  t.equal(readFileSync(path, 'utf8'), 'new\n');
});

t.test('the end of a process writes what waits', (t) => {
  const folder = join(temporaryFolder(t), 'logs');
  const file = new RotatingFile({ path: join(folder, 'a.log'), maxBytes: 9, files: 2, lossLine });
  file.write('the last words\n');
  t.notOk(existsSync(folder));
  file.flushSync();
  t.equal(readFileSync(join(folder, 'a.log'), 'utf8'), 'the last words\n');
  t.end();
});
