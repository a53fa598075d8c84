import t, { type Test } from 'tap';
import { describeError, holdControl } from '../../src/client-package/index.js';
import type { RadioClient } from '../../src/contract/client.js';
import { until } from '../gateway/reader.js';
import { serviceWithClient } from './service.js';

/** A holder, and what it told. */
function hold(
  t: Test,
  client: RadioClient,
  onControl: () => Promise<void> = async () => {},
  ttlMs = 1000,
) {
  const told = { leases: [] as string[], troubles: [] as string[], final: [] as string[] };
  const holder = holdControl(
    client,
    { owner: 'cell 1', ttlMs },
    {
      onControl: (leaseId) => {
        told.leases.push(leaseId);
        return onControl();
      },
      onTrouble: (error) => told.troubles.push(describeError(error)),
      onFinal: (error) => told.final.push(describeError(error)),
    },
  );
  t.teardown(() => holder.release().catch(() => {}));
  return { holder, told };
}

t.test('control is waited for, kept longer than a lease lasts, and given back', async (t) => {
  const { client, connect } = await serviceWithClient(t);
  const other = connect();
  const { leaseId } = await other.acquireControl({ owner: 'cell 2' });
  // A machine that stalls must not lose it.
  const ttlMs = 5000;
  const { holder, told } = hold(t, client, undefined, ttlMs);
  await until('it was refused', () => told.troubles.length > 0);
  t.match(told.troubles[0], /^FAILED_PRECONDITION: cell 2 has control/);
  await other.releaseControl(leaseId);
  await until('it has control', () => told.leases.length > 0);
  t.equal(told.troubles.length, 1, 'what is the same again is told once');

  const since = Date.now();
  await until('a lease would be over', () => Date.now() - since > 1.5 * ttlMs);
  t.equal((await other.getStatistics()).control?.owner, 'cell 1');
  t.equal(told.leases.length, 1);
  await holder.release();
  t.equal(holder.leaseId, '');
  t.notOk((await other.getStatistics()).control);
});

t.test('control that another client took comes back when that one gives it back', async (t) => {
  const { client, connect } = await serviceWithClient(t);
  const { told } = hold(t, client);
  await until('it has control', () => told.leases.length === 1);
  const other = connect();
  const { leaseId } = await other.acquireControl({ owner: 'cell 2', takeover: true });
  await until('it was told', () => told.troubles.length === 1);
  await other.releaseControl(leaseId);
  await until('it has control again', () => told.leases.length === 2);
  t.not(told.leases[1], told.leases[0]);
});

t.test('work that fails is done again while control is there', async (t) => {
  const { client } = await serviceWithClient(t);
  let tries = 0;
  const { told } = hold(t, client, async () => {
    tries++;
    if (tries === 1) throw new Error('not yet');
  });
  await until('it was tried again', () => tries === 2);
  t.same(told.troubles, ['not yet']);
  t.equal(told.leases[0], told.leases[1], 'by the same lease');
});

t.test('a request that is wrong is not repeated', async (t) => {
  const { client } = await serviceWithClient(t);
  const final: string[] = [];
  const holder = holdControl(
    client,
    { owner: '' },
    { onControl() {}, onTrouble() {}, onFinal: (error) => final.push(describeError(error)) },
  );
  await until('it was told', () => final.length > 0);
  t.match(final[0], /^INVALID_ARGUMENT\n {2}owner: 0 characters given; allowed: 1\.\.64$/);
  await holder.release();
});
