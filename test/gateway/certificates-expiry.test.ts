/** Certificates that expire soon are told of. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { CertificateStore } from '../../src/reader-gateway/certificates/certificate-store.js';
import { ExpiryWatch } from '../../src/reader-gateway/certificates/expiry-watch.js';
import { Certificates } from '../../src/reader-gateway/tls/certificates.js';
import type { Logger } from '../../src/shared/log.js';
import { VirtualClock } from '../delivery/virtual-clock.js';
import { Authority, type Wanted } from './certificates.js';
import { TestReader, temporaryFolder } from './reader.js';

const DAY_MS = 24 * 3600 * 1000;

function installed(stateDir: string, authority: Authority, name: string, wanted: Partial<Wanted>) {
  const folder = join(stateDir, 'certificates', 'client', name);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'cert.pem'), authority.issue({ name, ...wanted }).cert);
}

t.test('the soonest comes first, and the log warns every day', async (t) => {
  const stateDir = temporaryFolder(t);
  const authority = new Authority();
  installed(stateDir, authority, 'late', { expired: true });
  installed(stateDir, authority, 'soon', { days: 20 });
  installed(stateDir, authority, 'far', { days: 32 });
  const warned: string[] = [];
  const log = {
    warn: (fields: { name: string }, text: string) => warned.push(`${fields.name}: ${text}`),
  } as unknown as Logger;
  const store = new CertificateStore(stateDir, new Certificates(stateDir), log);
  t.same(
    store.expiring(30).map(({ name, daysLeft }) => [name, daysLeft]),
    [
      ['late', -2],
      ['soon', 19],
    ],
  );
  t.same(store.expiring(-1).length, 1);

  const clock = new VirtualClock(Date.now());
  const watch = new ExpiryWatch(store, clock, log);
  await clock.advance(120_000);
  t.same(warned, ['late: the certificate has expired', 'soon: the certificate expires in 19 days']);
  await clock.advance(3 * DAY_MS);
  t.same(warned.slice(-3), [
    'late: the certificate has expired',
    'soon: the certificate expires in 16 days',
    'far: the certificate expires in 28 days',
  ]);
  watch.close();
  const before = warned.length;
  await clock.advance(3 * DAY_MS);
  t.equal(warned.length, before);
});

t.test('the metrics say when each one ends', async (t) => {
  const reader = await TestReader.start(t);
  t.teardown(() => reader.gateway.stop());
  installed(reader.stateDir, new Authority(), 'soon', { days: 20 });
  const { text } = await reader.call('GET', 'metrics');
  const value = (name: string, type: string) => {
    const line = `singulate_certificate_not_after_seconds{type="${type}",name="${name}"} `;
    const found = text.split('\n').find((one) => one.startsWith(line));
    return Number(found?.slice(line.length)) * 1000;
  };
  t.ok(Math.abs(value('soon', 'client') - Date.now() - 20 * DAY_MS) < 60_000);
  t.ok(value('factory', 'server') > Date.now() + 9 * 365 * DAY_MS);
});
