/**
 * A program of the bundle starts with the code that V8 made of it at an earlier start. V8 looks at nothing
 * but the length of the source, so a file that is changed and as long as before shows which of the two runs.
 */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import t, { type Test } from 'tap';
import { PACKAGE_ROOT } from '../../src/shared/package-info.js';

const BUNDLE = join(PACKAGE_ROOT, 'dist/bundle/lib');
const PART = 'chunk-part.js';

/** Two files and the loader, as the bundler writes them. @returns What they run in, and their kept code. */
function program(t: Test) {
  const folder = t.testdir({ lib: {}, cache: {} });
  const files = join(folder, 'lib');
  for (const name of ['load.js', 'package.json']) {
    copyFileSync(join(BUNDLE, name), join(files, name));
  }
  writeFileSync(join(files, 'cli.js'), "require('./load.js').run('cli-main.js');\n");
  writeFileSync(
    join(files, 'cli-main.js'),
    `process.stdout.write(require('./${PART}').text);
     if (process.argv[2] === 'stay') setInterval(() => {}, 1000);`,
  );
  write(files, 'one');
  const cache = join(folder, 'cache');
  chmodSync(cache, 0o700);
  const env = { ...process.env, CACHE_DIRECTORY: cache };
  const script = join(files, 'cli.js');
  return { files, cache, env, script };
}

const write = (files: string, text: string) =>
  writeFileSync(join(files, PART), `exports.text = '${text}';\n`);

type Program = ReturnType<typeof program>;

async function says({ script, env }: Program, ...options: string[]): Promise<string> {
  return (await promisify(execFile)(process.execPath, [...options, script], { env })).stdout;
}

/** Runs until the code of each file is kept. @returns The folder that it lies in. */
async function keep({ script, env, cache }: Program): Promise<string> {
  const child = spawn(process.execPath, [script, 'stay'], { env, stdio: 'ignore' });
  const code = join(cache, 'code');
  const kept = () => {
    const [build] = existsSync(code) ? readdirSync(code) : [];
    const names = build === undefined ? [] : readdirSync(join(code, build));
    const all = names.includes(PART) && names.includes('cli-main.js');
    return all ? join(code, build as string) : undefined;
  };
  try {
    while (kept() === undefined) await sleep(50);
  } finally {
    child.kill();
    await once(child, 'exit');
  }
  return kept() as string;
}

t.test('a program starts with the code that was kept of it', async (t) => {
  const made = program(t);
  const other = join(made.cache, 'code', 'of-another-build');
  mkdirSync(other, { recursive: true });
  const folder = await keep(made);
  t.notOk(existsSync(other), 'that of other builds is gone');
  t.equal(statSync(folder).mode & 0o777, 0o700);
  write(made.files, 'two');
  t.equal(await says(made), 'one', 'the code that was kept has run');
  t.equal(await says(made, '--enable-source-maps'), 'two', 'with source maps node loads the files');
  t.equal(await says(made, '--no-opt'), 'two', 'code for other options of V8 is other code');

  write(made.files, 'three');
  t.equal(await says(made), 'three', 'code of another source is not taken');
  write(made.files, 'two');

  t.test('not in another program of Node.js', async (t) => {
    const other = join(made.files, 'node');
    copyFileSync(process.execPath, other);
    const { stdout } = await promisify(execFile)(other, [made.script], { env: made.env });
    t.equal(stdout, 'two', 'of the same version');
  });

  t.test('not if its folder can be written by others', async (t) => {
    chmodSync(folder, 0o770);
    t.equal(await says(made), 'two');
    chmodSync(folder, 0o700);
    t.equal(await says(made), 'one');
  });

  t.test('not if it was damaged', async (t) => {
    const file = join(folder, PART);
    const whole = readFileSync(file);
    const damages = [
      whole.subarray(0, 0),
      whole.subarray(0, 3),
      whole.subarray(0, whole.length - 1),
      Buffer.concat([whole.subarray(0, -9), Buffer.alloc(9)]),
    ];
    for (const damaged of damages) {
      writeFileSync(file, damaged);
      t.equal(await says(made), 'two', `${damaged.length} of ${whole.length} bytes`);
    }
    writeFileSync(file, whole);
    t.equal(await says(made), 'one');
  });

  t.test('not after a start with it that a signal ended', async (t) => {
    const child = spawn(process.execPath, [made.script, 'stay'], {
      env: made.env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [text] = await once(child.stdout, 'data');
    t.equal(String(text), 'one');
    t.equal(await says(made), 'one', 'while that goes on it is no fault');
    child.kill('SIGSEGV');
    await once(child, 'exit');
    t.equal(await says(made), 'two');
    t.notOk(existsSync(folder), 'the code is gone');
  });
});

t.test('a program whose code cannot be kept runs', async (t) => {
  const made = program(t);
  writeFileSync(join(made.cache, 'code'), 'a file where the folder would be');
  t.equal(await says(made), 'one');
  const child = spawn(process.execPath, [made.script, 'stay'], {
    env: made.env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  await once(child.stdout, 'data');
  // Beyond the moment at which it would be kept.
  const over = await Promise.race([once(child, 'exit'), sleep(7000)]);
  t.equal(over, undefined, 'still there');
  child.kill();
  await once(child, 'exit');
});
