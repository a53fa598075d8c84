/** What a program touched once of its own code and libraries is given back, and comes back when it is needed. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import t from 'tap';
import { loadNative } from '../../src/shared/native-file.js';

const { releaseProgramPages } = loadNative() as { releaseProgramPages(): number };

/** Bytes of files that are mapped and in memory. */
function residentOfFiles(): number {
  const [, kb] = /^RssFile:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
  return Number(kb) * 1024;
}

t.test('pages of the program that nothing needs leave the memory of the process', async (t) => {
  const before = residentOfFiles();
  const released = releaseProgramPages();
  const after = residentOfFiles();
  t.ok(released > before / 2, `${released} of ${before} bytes`);
  t.ok(after < before / 2, `${after} bytes are left`);

  // Code and tables that lie in these pages.
  const require = createRequire(import.meta.url);
  const { createHash, randomUUID } = require('node:crypto') as typeof import('node:crypto');
  const { gzipSync, gunzipSync } = require('node:zlib') as typeof import('node:zlib');
  t.equal(createHash('sha256').update('').digest('hex').slice(0, 8), 'e3b0c442');
  t.match(randomUUID(), /^[0-9a-f-]{36}$/);
  t.equal(gunzipSync(gzipSync('EPC')).toString(), 'EPC');
  t.equal(new Intl.DateTimeFormat('de', { month: 'long' }).format(new Date(0)), 'Januar');
  t.equal('tag'.normalize('NFD'), 'tag');
  t.ok(releaseProgramPages() > 0, 'and leave it again');
});
