/** docs/errors.md has the table of src/reader-gateway/api/errors.ts. */
import { readFileSync } from 'node:fs';
import t from 'tap';
import { ERRORS } from '../../src/reader-gateway/api/errors.js';

t.test('codes, statuses and meanings', async (t) => {
  const rows = readFileSync('docs/errors.md', 'utf8')
    .split('\n')
    .filter((line) => /^\| \d/.test(line))
    .map((line) => line.split('|').map((cell) => cell.trim()));
  t.strictSame(
    rows.map(([, code, status, meaning]) => ({
      status: Number(status),
      code: Number(code),
      meaning,
    })),
    Object.values(ERRORS),
  );
});

t.test('a code has one meaning', async (t) => {
  const codes = Object.values(ERRORS).map(({ code }) => code);
  t.equal(new Set(codes).size, codes.length);
});
