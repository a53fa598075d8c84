/** The files of this folder leave no operation out, and the table of operations has all there are. */
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import type { Operation } from '../../src/reader-gateway/operations/operation.js';
import { OPERATIONS } from '../../src/reader-gateway/operations/table.js';
import { NEVER_RIGHT } from './needed.js';
import { RIGHT_REQUESTS } from './right-requests.js';
import { operationsOf } from './run-operations.js';

const here = dirname(fileURLToPath(import.meta.url));

t.test('each operation of the table is run by one of the files', async (t) => {
  const files = readdirSync(here).filter((name) => /^operations-.*\.test\.js$/.test(name));
  const run = files.flatMap((name) => {
    const [, part, of] = /^operations-(\d+)-of-(\d+)\./.exec(name) ?? [];
    t.equal(Number(of), files.length, `${name} is one of ${files.length}`);
    return operationsOf(Number(part) - 1, Number(of)).map((operation) => operation.name);
  });
  t.same(run.sort(), OPERATIONS.map(({ name }) => name).sort());
});

t.test('each operation that there is stands in the table', async (t) => {
  const folder = join(here, '../../src/reader-gateway/operations');
  const names = new Set(OPERATIONS.map(({ name }) => name));
  let found = 0;
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.js'))) {
    const exported: unknown[] = Object.values(await import(join(folder, file)));
    for (const operation of exported.filter(isOperation)) {
      found++;
      t.ok(names.has(operation.name), `${operation.name} of ${file}`);
    }
  }
  t.equal(found, OPERATIONS.length);
});

t.test('what is said of operations by their names is of some that there are', async (t) => {
  const names = new Set(OPERATIONS.map(({ name }) => name));
  for (const name of [...Object.keys(RIGHT_REQUESTS), ...Object.keys(NEVER_RIGHT)]) {
    t.ok(names.has(name), name);
  }
});

function isOperation(value: unknown): value is Operation {
  return typeof value === 'object' && value !== null && 'mqttCommand' in value && 'run' in value;
}
