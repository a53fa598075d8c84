/** The page of security names a test for each thing that was tried, and they are there. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { PACKAGE_ROOT } from '../../src/shared/package-info.js';

const page = readFileSync(join(PACKAGE_ROOT, 'docs/security.md'), 'utf8');
const [, section = ''] = page.split('## What is tried');
const rows =
  section
    .split('\n## ')[0]
    ?.split('\n')
    .filter((line) => /^\| (?!what|-)/.test(line)) ?? [];

t.test('each row has a test, and each test is there', async (t) => {
  t.ok(rows.length >= 30);
  for (const row of rows) {
    const tests = [...row.matchAll(/`(test\/[^`]+\.ts)`/g)].map(([, path = '']) => path);
    t.ok(tests.length > 0, row);
    for (const path of tests) t.ok(existsSync(join(PACKAGE_ROOT, path)), path);
  }
});

t.test('SECURITY.md and the page name each other', async (t) => {
  const promised = readFileSync(join(PACKAGE_ROOT, 'SECURITY.md'), 'utf8');
  t.match(promised, '(docs/security.md)');
  t.match(page, '(../SECURITY.md)');
  t.match(readFileSync(join(PACKAGE_ROOT, 'README.md'), 'utf8'), '(SECURITY.md)');
});
