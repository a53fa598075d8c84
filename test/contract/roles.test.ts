import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { METHOD_ROLES } from '../../src/radio-control/grpc/roles.js';
import { PACKAGE_ROOT } from '../../src/shared/package-info.js';

t.test(
  'the page of the contract tells of each call the role that the service asks for',
  async (t) => {
    const page = readFileSync(join(PACKAGE_ROOT, 'docs/contract.md'), 'utf8');
    const told = [...page.matchAll(/^### (\w+)\n\n[^#]*?^- Role: (\w+)$/gm)];
    t.strictSame(Object.fromEntries(told.map(([, method, role]) => [method, role])), METHOD_ROLES);
  },
);
