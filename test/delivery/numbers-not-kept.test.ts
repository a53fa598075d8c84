/** Nothing can be written any more, and then the process is killed: no number comes again. */
import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { until } from '../gateway/reader.js';
import { restartedEndpoints } from './restarted-endpoints.js';
import { Receivers } from './restarts.js';

/** Far more than is promised ahead. */
const UNKEPT_MS = 700;

t.test('numbers that cannot be written begin again far above, and that is told', async (t) => {
  const receivers = await Receivers.start(t, 'ws', { names: ['qos1', 'posts'] });
  const { accounts } = receivers;
  const source = restartedEndpoints(t, receivers);
  await source.begin(0);
  await until('events come', () => accounts.every(({ arrived }) => arrived > 300));
  source.limitFiles(0);
  const before = accounts.map(({ last }) => last);
  await until('far above', () =>
    accounts.every(({ last }, index) => last > 1e9 + (before[index] ?? 0)),
  );
  await until('the jump is told', () => accounts.every(({ missing }) => missing.length === 0));
  await sleep(UNKEPT_MS);
  await source.end('SIGKILL');

  const arrived = accounts.map((account) => account.arrived);
  await source.begin(1);
  await until('events come again', () =>
    accounts.every((account, index) => account.arrived > 300 + (arrived[index] ?? 0)),
  );
  await source.end('SIGTERM');
  for (const { name, conflicts } of accounts) t.same(conflicts, [], `${name}: none came twice`);
});

t.test('once they can be written again they go on where they are', async (t) => {
  const receivers = await Receivers.start(t, 'ws', { names: ['qos1'] });
  const [account] = receivers.accounts as [Receivers['accounts'][number]];
  const source = restartedEndpoints(t, receivers);
  await source.begin(0);
  await until('events come', () => account.arrived > 300);
  source.limitFiles(0);
  await until('far above', () => account.last > 1e9);
  source.limitFiles(1e9);
  // It is tried each second.
  await sleep(2500);
  const { last } = account;
  await source.end('SIGKILL');
  await source.begin(1);
  await until('they go on', () => account.last > last + 1000);
  await source.end('SIGTERM');
  t.same(account.conflicts, []);
  t.same(account.missing, []);
});
