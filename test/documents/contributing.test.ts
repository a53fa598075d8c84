/** CONTRIBUTING.md has each variable of the environment that the sources use, and names files that are there. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { environmentName, OPTIONS } from '../../src/cli/option-table.js';
import { PACKAGE_ROOT } from '../../src/shared/package-info.js';

const FOLDERS = ['src', 'test', 'bench', 'toolchain', 'native', 'docs', '.ci'];
const SOURCE = /\.(ts|mjs|js|cpp|h|py|go)$|^run$/;
const NOT_OURS = /(^|\/)(generated|third_party|node_modules)\//;
/** What is used by its name, in each of the languages. */
const NAMED = [
  /\benv\??\.([A-Z][A-Z0-9_]+)\b/g,
  /\benv\[['"]([A-Z][A-Z0-9_]+)['"]\]/g,
  /getenv\("([A-Z][A-Z0-9_]+)"/gi,
  /\benviron(?:\.get\(|\[)['"]([A-Z][A-Z0-9_]+)['"]/g,
  /\$\{([A-Z][A-Z0-9_]+):-/g,
];
/** By the name of a constant that holds it. */
const BY_CONSTANT = /\benv\[([A-Z][A-Z0-9_]+)\]/g;
const TAKEN_APART = /\{([^{}]*)\}\s*=\s*process\.env\b/g;
/** Files that go through names that are no constants, and why that hides none. */
const BY_ANY_NAME = new Map([
  ['src/cli/environment.ts', 'the options, which OPTIONS names'],
  ['src/shared/service-manager.ts', 'removes what it has read by name'],
  ['test/toolchain/install-scripts.test.ts', 'removes those of npm'],
  ['toolchain/tests/process.mjs', 'puts back what was there'],
]);

const page = readFileSync(join(PACKAGE_ROOT, 'CONTRIBUTING.md'), 'utf8');

const sources = FOLDERS.flatMap((folder) =>
  readdirSync(join(PACKAGE_ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && SOURCE.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(PACKAGE_ROOT.length + 1))
    .filter((path) => !NOT_OURS.test(path)),
).map((path) => ({ path, text: readFileSync(join(PACKAGE_ROOT, path), 'utf8') }));

function constant(name: string): string {
  const is = new RegExp(`const ${name} = '([A-Z0-9_]+)'`);
  for (const { text } of sources) {
    const value = is.exec(text)?.[1];
    if (value !== undefined) return value;
  }
  throw new Error(`${name}: its value is in no source`);
}

function namesIn(text: string): string[] {
  const named = NAMED.flatMap((form) => [...text.matchAll(form)].map(([, name = '']) => name));
  const byConstant = [...text.matchAll(BY_CONSTANT)].map(([, name = '']) => constant(name));
  const apart = [...text.matchAll(TAKEN_APART)].flatMap(([, parts = '']) =>
    [...parts.matchAll(/(?:^|,)\s*([A-Z][A-Z0-9_]+)/g)].map(([, name = '']) => name),
  );
  return [...named, ...byConstant, ...apart];
}

/** Folders by variable, as the sources have them. */
function used(): Record<string, string> {
  const options = new Set(OPTIONS.map(({ name }) => environmentName(name)));
  const folders = new Map<string, Set<string>>();
  for (const { path, text } of sources) {
    for (const name of namesIn(text)) {
      if (options.has(name)) continue;
      const of = folders.get(name) ?? new Set();
      folders.set(name, of.add(path.split('/')[0] as string));
    }
  }
  return sorted([...folders].map(([name, of]) => [name, [...of].sort().join(', ')]));
}

/** Folders by variable, as the table has them. */
function documented(): Record<string, string> {
  const [, section = ''] = page.split('## Environment variables\n');
  const rows = section.split('\n## ')[0]?.matchAll(/^\| `([A-Z0-9_]+)` \| ([^|]+) \|/gm) ?? [];
  return sorted([...rows].map(([, name = '', folders = '']) => [name, folders.trim()]));
}

function sorted(entries: [string, string][]): Record<string, string> {
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

t.test(
  'each variable of the sources is in the table, and each of the table in the sources',
  async (t) => {
    const expected = used();
    t.ok('TEST_LOG' in expected && 'SINGULATE_BEATS' in expected && 'TZ' in expected);
    t.strictSame(documented(), expected);
  },
);

t.test('no variable is used in a way that this does not see', async (t) => {
  const anyName = sources.filter(({ text }) => /\benv\[(?!['"A-Z])/.test(text));
  const unknown = anyName.filter(({ path }) => !BY_ANY_NAME.has(path)).map(({ path }) => path);
  t.strictSame(
    unknown.filter((path) => !path.endsWith('contributing.test.ts')),
    [],
  );
});

t.test('each file that the page links to or names by its path is there', async (t) => {
  const links = [...page.matchAll(/\]\((?!http|#)([^)#]+)/g)].map(([, path = '']) => path);
  const named = [
    ...page.matchAll(/`((?:src|native|test|toolchain|docs|proto)\/[\w./-]+)`/g),
    ...page.matchAll(/\bdist\/((?:src|test)\/[\w/-]+)\.js\b/g),
  ].map(([, path = '']) => path);
  // What is generated is there as well: tests run after a build.
  const paths = [...new Set([...links, ...named])];
  t.ok(paths.length > 50);
  const gone = paths.filter(
    (path) => !['', '.ts'].some((end) => existsSync(join(PACKAGE_ROOT, path + end))),
  );
  t.strictSame(gone, []);
});
