import { status } from '@grpc/grpc-js';
import t, { type Test } from 'tap';
import { AccessOperation, AccessResult, Bank } from '../../src/contract/messages.js';
import { until } from '../gateway/reader.js';
import { collect, serviceWithClient } from './service.js';

const { READ, WRITE, ACCESS, LOCK, KILL } = AccessOperation.Kind;
const { DONE } = AccessResult.Status;
const ABSENT = Buffer.from('e2801160600002000000dead', 'hex');

/** EPC of some tag of the field. */
async function anyTag(service: Awaited<ReturnType<typeof serviceWithClient>>, t: Test) {
  const { client } = service;
  const reads = collect(t, client.streamReads({ start: {} }));
  await client.startInventory({ plan: {} });
  await until('a tag', () => reads.messages.some((batch) => batch.reads.length > 0));
  await client.stopInventory();
  const found = reads.messages.find((batch) => batch.reads.length > 0)?.reads[0];
  return { epc: Buffer.from(found?.epc as Uint8Array), antenna: found?.antenna ?? 0 };
}

t.test('a tag is written, and is found under its new EPC, with nothing running', async (t) => {
  const service = await serviceWithClient(t, ['--scenario', 'retail-shelf']);
  const { client } = service;
  const { epc } = await anyTag(service, t);
  const renamed = Buffer.from('30aabbccddeeff0011223344', 'hex');
  const operations = [{ kind: WRITE, bank: Bank.BANK_EPC, wordPointer: 2, data: renamed }];
  const written = await client.accessTag({ tag: { epc }, operations, timeoutMs: 30_000 });
  t.equal(Buffer.from(written.epc ?? []).toString('hex'), epc.toString('hex'));
  t.match(written.results, [{ status: DONE, wordsWritten: 6 }]);
  const read = await client.accessTag({
    tag: { epc: renamed },
    operations: [{ kind: READ, bank: Bank.BANK_TID, wordCount: 2 }],
    timeoutMs: 30_000,
  });
  t.match(read.results, [{ status: DONE }]);
  t.equal(read.results?.[0]?.data?.length, 4);
});

t.test('beside an inventory a tag is operated on, and the inventory goes on', async (t) => {
  const service = await serviceWithClient(t, ['--scenario', 'retail-shelf']);
  const { client } = service;
  const { epc } = await anyTag(service, t);
  const { inventoryId } = await client.startInventory({ plan: {} });
  const { results } = await client.accessTag({
    tag: { epc },
    operations: [{ kind: READ, bank: Bank.BANK_TID, wordCount: 2 }],
    timeoutMs: 30_000,
  });
  t.match(results, [{ status: DONE }]);
  const before = Number((await client.getStatus()).counters?.rounds);
  await until(
    'further rounds',
    async () => Number((await client.getStatus()).counters?.rounds) > before,
  );
  t.equal((await client.getStatus()).inventoryId, inventoryId);
});

t.test('a tag that is not there is not found in time, and watchers are told', async (t) => {
  const { client } = await serviceWithClient(t);
  const events = collect(t, client.watchEvents());
  await until('the first message', () => events.messages.length > 0);
  const operations = [{ kind: READ, bank: Bank.BANK_TID, wordCount: 2 }];
  await t.rejects(client.accessTag({ tag: { epc: ABSENT }, operations, timeoutMs: 300 }), {
    code: status.NOT_FOUND,
    message: /no tag that matches answered within 300 ms/,
  });
  await until('the event', () => events.messages.some((message) => message.events.length > 0));
  t.match(events.messages.at(-1)?.events[0]?.tagAccessed, { done: false });
});

t.test('faults of a request are named, and nothing is sent', async (t) => {
  const { client } = await serviceWithClient(t);
  const epc = ABSENT;
  const cases = [
    [{ tag: { epc }, operations: [] }, 'operations'],
    [{ tag: { epc }, operations: [{ kind: ACCESS, password: 1 }] }, 'operations'],
    [{ tag: { epc }, operations: [{ kind: KILL, password: 0 }] }, 'operations[0].password'],
    [{ tag: { epc }, operations: [{ kind: LOCK, lockMask: 4096 }] }, 'operations[0].lock_mask'],
    [{ tag: {}, operations: [{ kind: READ }] }, 'tag'],
    [{ tag: { epc }, operations: [{ kind: READ }], antennas: [99] }, 'antennas[0]'],
    [{ tag: { epc }, operations: [{ kind: READ }], timeoutMs: 60_001 }, 'timeout_ms'],
  ] as const;
  for (const [request, field] of cases) {
    const error = await client.accessTag(request as never).then(
      () => undefined,
      (rejected) => rejected,
    );
    t.equal(error?.code, status.INVALID_ARGUMENT, field);
    t.ok(error?.details.includes(field), `${field}: ${error?.details}`);
  }
});

t.test('while another client has control no tag is touched', async (t) => {
  const { client, connect } = await serviceWithClient(t);
  await client.acquireControl({ owner: 'cell' });
  const operations = [{ kind: READ, bank: Bank.BANK_TID, wordCount: 2 }];
  await t.rejects(connect().accessTag({ tag: { epc: ABSENT }, operations }), {
    code: status.FAILED_PRECONDITION,
    message: /cell has control/,
  });
});
