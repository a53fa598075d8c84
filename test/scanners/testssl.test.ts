/** The HTTPS server as testssl.sh sees it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { scan, startScanned } from './scanned-reader.js';

/** A new reader made its certificate itself, so that nobody can revoke it; docs/security.md has the reasons. */
const OF_A_NEW_READER = ['HSTS', 'cert_chain_of_trust', 'cert_revocation', 'cert_validityPeriod'];

interface Finding {
  id: string;
  severity: string;
  finding: string;
}

t.test('testssl.sh finds nothing but that a new reader signs its certificate itself', async (t) => {
  const { doors } = await startScanned(t);
  const file = join(t.testdir({}), 'findings.json');
  const args = ['--quiet', '--color', '0', '--warnings', 'off', '--nodns', 'none'];
  await scan('testssl', [...args, '--jsonfile', file, doors.REST]);
  const findings: Finding[] = JSON.parse(readFileSync(file, 'utf8'));
  t.ok(findings.length > 100, `${findings.length} findings`);
  const bad = findings.filter(({ severity }) =>
    ['LOW', 'MEDIUM', 'HIGH', 'CRITICAL', 'FATAL'].includes(severity),
  );
  const ids = bad.map(({ id }) => id).sort();
  t.strictSame(ids, OF_A_NEW_READER, JSON.stringify(bad));
});
