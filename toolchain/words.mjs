/**
 * Checks that words which a reader of English or of the field does not know at once stay out of all
 * tracked text files. Exits with 1 and one line for each that is there.
 * `node toolchain/words.mjs [ROOT]`; docs/words.md has the list for people.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Each with what to write instead. Also as a part of a name, as in `tagErrand` and `errand_list`. */
const INSTEAD = new Map([
  ['errand', 'access request, or what else is asked for'],
  ['anew', 'again'],
  ['whoever', 'who, no matter who, or the client or process that is meant'],
]);

/** Not ours, released as it is, or in need of the words themselves. */
const EXEMPT = [
  /^native\/third_party\//,
  /^proto-released\//,
  /^package-lock\.json$/,
  /^toolchain\/words\.mjs$/,
  /^docs\/words\.md$/,
  /^test\/toolchain\/words\.test\.ts$/,
];
const here = dirname(fileURLToPath(import.meta.url));
const root = resolve(process.argv[2] ?? join(here, '..'));
// A part of a name begins with a capital, or after an underscore; `canew` is another word.
const WORDS = [...INSTEAD.keys()].map((word) => {
  const capital = `${word[0].toUpperCase()}${word.slice(1)}`;
  const found = `(?<![A-Za-z])${word}|(?<![A-Z])${capital}|(?<![A-Za-z])${word.toUpperCase()}`;
  return [word, new RegExp(`(?:${found})s?(?![a-z])`)];
});

const listed = spawnSync('git', ['ls-files', '-z', '-c', '-o', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
});
if (listed.status !== 0) throw new Error(`git ls-files failed: ${listed.stderr}`);
let found = 0;

function check(place, text) {
  for (const [word, pattern] of WORDS) {
    if (!pattern.test(text)) continue;
    process.stderr.write(`${place}: "${word}"; write: ${INSTEAD.get(word)}\n`);
    found++;
  }
}

for (const path of listed.stdout.split('\0')) {
  if (path === '' || EXEMPT.some((pattern) => pattern.test(path))) continue;
  check(path, path);
  let text;
  try {
    text = readFileSync(join(root, path), 'utf8');
  } catch {
    // Removed, and not committed yet; or a link to a folder.
    continue;
  }
  if (text.includes('\0')) continue;
  for (const [index, line] of text.split('\n').entries()) {
    check(`${path}:${index + 1}`, line);
  }
}
process.exitCode = found === 0 ? 0 : 1;
