import { status } from '@grpc/grpc-js';
import t from 'tap';
import { until } from '../gateway/reader.js';
import { serviceWithClient } from './service.js';

t.test('while nobody has control everybody may control', async (t) => {
  const { client, connect } = await serviceWithClient(t);
  const { inventoryId } = await client.startInventory({ plan: {}, owner: 'one' });
  t.not(inventoryId, '');
  await connect().stopInventory();
});

t.test('who has control controls, and all others are refused with its name', async (t) => {
  const { client, connect } = await serviceWithClient(t);
  const other = connect();
  const { leaseId } = await client.acquireControl({ owner: 'robot cell' });
  const refused = { code: status.FAILED_PRECONDITION, message: /robot cell has control/ };
  await t.rejects(other.startInventory({ plan: {} }), refused);
  await t.rejects(other.setOutput({ port: 1, high: true }), refused);
  await t.rejects(other.acquireControl({ owner: 'other' }), refused);
  await client.startInventory({ plan: {}, leaseId });
  await t.rejects(other.stopInventory(), refused);
  await t.rejects(other.changePlan({ plan: {} }), refused);
  t.equal((await other.getStatus()).owner, '', 'everybody may look');
  await client.stopInventory({ leaseId });
  await client.releaseControl(leaseId);
  await other.startInventory({ plan: {} });
});

t.test('control that is not renewed ends by itself, and the inventory goes on', async (t) => {
  const { client, connect } = await serviceWithClient(t);
  const { leaseId, ttlMs } = await client.acquireControl({ owner: 'stuck', ttlMs: 1000 });
  t.equal(ttlMs, 1000);
  const { inventoryId } = await client.startInventory({ plan: {}, leaseId });
  const other = connect();
  await until('control is free', async () => {
    const { control } = await other.getStatistics();
    return control === null || control === undefined;
  });
  await t.rejects(client.renewControl(leaseId), {
    code: status.FAILED_PRECONDITION,
    message: /lease_id: the lease is over; nobody has control now/,
  });
  t.equal((await other.getStatus()).inventoryId, inventoryId);
  await other.stopInventory({ inventoryId });
});

t.test('renewals, and calls that control, keep it', async (t) => {
  const { client, connect } = await serviceWithClient(t);
  // A machine may stand still for a while between two of them.
  const { leaseId } = await client.acquireControl({ owner: 'alive', ttlMs: 4000 });
  const begin = Date.now();
  let renew = false;
  while (Date.now() - begin < 6000) {
    if (renew) await client.renewControl(leaseId);
    else await client.setOutput({ port: 1, high: true, leaseId });
    renew = !renew;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  t.equal((await connect().getStatistics()).control?.owner, 'alive');
});

t.test('a takeover ends the control of the client before, whose calls are refused', async (t) => {
  const { client, connect } = await serviceWithClient(t);
  const first = await client.acquireControl({ owner: 'stuck', ttlMs: 3_600_000 });
  const other = connect();
  const second = await other.acquireControl({ owner: 'rescue', takeover: true });
  t.equal(second.takenFrom, 'stuck');
  await t.rejects(client.startInventory({ plan: {}, leaseId: first.leaseId }), {
    code: status.FAILED_PRECONDITION,
    message: /the lease is over; rescue has control now/,
  });
  await client.releaseControl(first.leaseId);
  t.equal((await other.getStatistics()).control?.owner, 'rescue', 'an old lease releases nothing');
  t.equal(Number((await other.getStatistics()).control?.takeovers), 1);
});

t.test('a lease needs a name and a time within its range', async (t) => {
  const { client } = await serviceWithClient(t);
  await t.rejects(client.acquireControl({ owner: '', ttlMs: 10 }), {
    code: status.INVALID_ARGUMENT,
    message: /owner: 0 characters given; allowed: 1\.\.64; ttl_ms: 10 given; allowed: 0 \(10000\)/,
  });
});
