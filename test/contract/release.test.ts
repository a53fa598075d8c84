import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { check, copyContract, readContract, release, setVersion, writeContract } from './copy.js';

t.test('a release of the contract keeps it as it is, once', async (t) => {
  const root = t.testdir();
  copyContract(root);
  t.strictSame(check(root), { status: 0, output: '' }, 'the contract of the project passes');

  const at = (version: string) => join(root, 'proto-released', version);
  setVersion(root, '10.0.0');
  t.equal(release(root).status, 0);
  const kept = readFileSync(join(at('10.0.0'), 'singulate/radio/v1/radio.proto'), 'utf8');
  t.equal(kept, readContract(root));

  t.match(release(root), { status: 1, output: '10.0.0 is released already' });
  // By their numbers, not by their letters.
  setVersion(root, '9.5.0');
  t.match(release(root), { status: 1, output: 'package.json, which is 9.5.0' });
  setVersion(root, 'next');
  t.match(release(root), { status: 1, output: 'version "next" of package.json' });

  setVersion(root, '10.1.0');
  writeContract(root, kept.replace('LOG_LEVEL_DEBUG = 6;', ''));
  t.match(release(root), {
    status: 1,
    output: /enum value "6".*breaks clients of 10.0.0.*nothing was released/s,
  });
  t.notOk(existsSync(at('10.1.0')));
  t.notOk(readdirSync(join(root, 'proto-released')).some((name) => name.includes('10.1.0')));
});
