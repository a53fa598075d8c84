/**
 * A process that runs compiled test files, one after the other: their paths (.ts, from the root of the
 * project) as JSON in the environment, since tap names folders by arguments. What all of them need (tap, the
 * gateway, the addon) is loaded once.
 *
 * Prints TAP: a subtest for each file. What a file does to the environment ends with it.
 */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import t from 'tap';

/** A process that does not end after its last test holds a handle that a test forgot. */
const ENDS_WITHIN_MS = 30_000;

const files = JSON.parse(process.env.TEST_FILES);
delete process.env.TEST_FILES;
const environment = { ...process.env };
const test = t.test;

for (const file of files) {
  // A file registers its tests while it is loaded; they become those of one subtest.
  const registered = [];
  t.test = (...args) => void registered.push(args);
  let failure;
  try {
    await import(pathToFileURL(join(process.cwd(), compiled(file))).href);
  } catch (error) {
    failure = error;
  } finally {
    t.test = test;
  }
  await test(file, async (of) => {
    if (failure !== undefined) throw failure;
    for (const args of registered) await of.test(...args);
  });
  restoreEnvironment();
}

setTimeout(() => {
  process.stderr.write(`does not end, because of: ${process.getActiveResourcesInfo()}\n`);
  process.exit(3);
}, ENDS_WITHIN_MS).unref();

function compiled(file) {
  return join('dist', file.replace(/\.ts$/, '.js'));
}

function restoreEnvironment() {
  for (const name of Object.keys(process.env)) {
    if (!(name in environment)) delete process.env[name];
  }
  Object.assign(process.env, environment);
}
