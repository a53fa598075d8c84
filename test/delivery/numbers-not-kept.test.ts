/** Nothing can be written any more, and then the process is killed: no number comes again. */

import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { NUMBERS_FILE, NumberLedger } from '../../src/reader-gateway/delivery/numbers/ledger.js';
import { temporaryFolder, until } from '../gateway/reader.js';
import { silent } from './harness.js';
import { restartedEndpoints } from './restarted-endpoints.js';
import { Receivers } from './restarts.js';

/** A busy machine takes its time. */
const WAIT_MS = 60_000;
/** Far more than is promised ahead. */
const UNKEPT_MS = 700;

t.test('numbers that cannot be written begin again far above, and that is reported', async (t) => {
  const receivers = await Receivers.start(t, 'ws', { names: ['qos1', 'posts'] });
  const { accounts } = receivers;
  const source = restartedEndpoints(t, receivers);
  await source.begin(0);
  await until('events come', () => accounts.every(({ arrived }) => arrived > 300), WAIT_MS);
  source.limitFiles(0);
  const before = accounts.map(({ last }) => last);
  await until(
    'far above',
    () => accounts.every(({ last }, index) => last > 1e9 + (before[index] ?? 0)),
    WAIT_MS,
  );
  await until(
    'the jump is reported',
    () => accounts.every(({ missing }) => missing.length === 0),
    WAIT_MS,
  );
  await sleep(UNKEPT_MS);
  await source.end('SIGKILL');

  const arrived = accounts.map((account) => account.arrived);
  await source.begin(1);
  await until(
    'events come again',
    () => accounts.every((account, index) => account.arrived > 300 + (arrived[index] ?? 0)),
    WAIT_MS,
  );
  await source.end('SIGTERM');
  for (const { name, conflicts } of accounts) t.same(conflicts, [], `${name}: none came twice`);
});

t.test('once they can be written again they go on where they are', async (t) => {
  const receivers = await Receivers.start(t, 'ws', { names: ['qos1'] });
  const [account] = receivers.accounts as [Receivers['accounts'][number]];
  const source = restartedEndpoints(t, receivers);
  await source.begin(0);
  await until('events come', () => account.arrived > 300, WAIT_MS);
  source.limitFiles(0);
  await until('far above', () => account.last > 1e9, WAIT_MS);
  source.limitFiles(1e9);
  await until('the file has them', () => nextIn(t, source.stateDir) > 1e9, WAIT_MS);
  const { last } = account;
  await source.end('SIGKILL');
  await source.begin(1);
  await until('they go on', () => account.last > last + 1000, WAIT_MS);
  await source.end('SIGTERM');
  t.same(account.conflicts, []);
  t.same(account.missing, []);
});

/** Of the endpoint, as the next process would have it. */
function nextIn(t: Test, stateDir: string): number {
  const copy = temporaryFolder(t);
  copyFileSync(join(stateDir, NUMBERS_FILE), join(copy, NUMBERS_FILE));
  const ledger = NumberLedger.open(copy, silent);
  const { next } = ledger.numbers('data', 'qos1');
  ledger.close();
  return next;
}
