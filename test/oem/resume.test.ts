import { status } from '@grpc/grpc-js';
import t from 'tap';
import { followReads } from '../../src/contract/follow-reads.js';
import { type ReadBatch, StartPosition, WhenSlow } from '../../src/contract/messages.js';
import { counterToNumber } from '../../src/contract/time.js';
import { until } from '../gateway/reader.js';
import { startRadioControlAt } from './radio-control.js';
import { collect, serviceWithClient } from './service.js';

const numbersOf = (batches: readonly ReadBatch[]) =>
  batches.flatMap(({ firstSequence, reads }) =>
    reads.map((_read, i) => counterToNumber(firstSequence) + i),
  );
const upTo = (last: number) => Array.from({ length: last }, (_, i) => i + 1);

t.test('a client that was away gets what was reported meanwhile, and nothing twice', async (t) => {
  const { client } = await serviceWithClient(t);
  const { OLDEST, AFTER } = StartPosition.From;
  const first = collect(t, client.streamReads({ start: { from: OLDEST } }));
  await client.startInventory({ plan: {} });
  await until('reads', () => numbersOf(first.messages).length > 100);
  first.cancel();
  const seen = numbersOf(first.messages);
  const logId = first.messages[0]?.logId ?? '';
  const before = counterToNumber((await client.getStatistics()).readLog?.nextSequence);
  await until('more is reported', async () => {
    const { readLog } = await client.getStatistics();
    return counterToNumber(readLog?.nextSequence) > before + 100;
  });
  const start = { from: AFTER, logId, afterSequence: seen.at(-1) ?? 0 };
  const again = collect(t, client.streamReads({ start }));
  await until('reads of both times', () => numbersOf(again.messages).length > 200);
  const all = [...seen, ...numbersOf(again.messages)];
  t.strictSame(all, upTo(all.length));
});

t.test('a service that stops sends what it has, and says why the stream ends', async (t) => {
  const { service, client } = await serviceWithClient(t);
  const stream = collect(
    t,
    client.streamReads({ start: { from: StartPosition.From.OLDEST }, maxLatencyMs: 1000 }),
  );
  await client.startInventory({ plan: {} });
  await until('reads', () => numbersOf(stream.messages).length > 50);
  const { counters } = await client.stopInventory();
  service.kill('SIGTERM');
  await until('the end of the stream', () => stream.error !== undefined);
  t.equal(stream.error?.code, status.UNAVAILABLE);
  t.match(stream.error?.message, /the service stops/);
  t.strictSame(numbersOf(stream.messages), upTo(counterToNumber(counters?.reported)));
});

t.test(
  'after a restart of the service a follower begins with the oldest of the new log',
  async (t) => {
    const folderArgs = ['--seed', '1'];
    const { service, client } = await serviceWithClient(t, folderArgs);
    const batches: ReadBatch[] = [];
    const unfollow = followReads(client, {}, { onBatch: (batch) => batches.push(batch) });
    t.teardown(unfollow);
    await client.startInventory({ plan: {} });
    await until('reads', () => numbersOf(batches).length > 20);
    const socket = service.target.replace('unix:', '');
    service.kill('SIGKILL');
    await service.exit;
    const received = batches.length;
    const second = await startRadioControlAt(t, socket, folderArgs);
    await until('the new service answers', () =>
      client.getStatus().then(
        () => true,
        () => false,
      ),
    );
    await client.startInventory({ plan: {} });
    await until('reads of the new service', () => numbersOf(batches.slice(received)).length > 20);
    const fresh = numbersOf(batches.slice(received));
    t.strictSame(fresh, upTo(fresh.length), 'from its first report on');
    t.ok(second.messages.length > 0);
  },
);

t.test('a stream that cannot be names what is wrong with it', async (t) => {
  const { client } = await serviceWithClient(t);
  const requests = [
    { request: { maxReads: 1025 }, field: 'max_reads' },
    { request: { maxLatencyMs: 1001 }, field: 'max_latency_ms' },
    { request: { maxBlockMs: 60_001, whenSlow: WhenSlow.WHEN_SLOW_BLOCK }, field: 'max_block_ms' },
    { request: { whenSlow: 7 as never }, field: 'when_slow' },
    { request: { fields: [15 as never] }, field: 'fields[0]' },
    { request: { clientName: 'x'.repeat(65) }, field: 'client_name' },
    { request: { start: { from: 9 as never } }, field: 'start.from' },
    { request: { start: { from: 2 } }, field: 'start.log_id' },
    { request: { filter: { antennas: [0] } }, field: 'filter.antennas[0]' },
    { request: { filter: { minRssiCdbm: 1 } }, field: 'filter.min_rssi_cdbm' },
    { request: { filter: { id: { match: 1, value: 'xyz' } } }, field: 'filter.id.value' },
  ];
  for (const { request, field } of requests) {
    const stream = collect(t, client.streamReads(request));
    await until(field, () => stream.error !== undefined);
    t.equal(stream.error?.code, status.INVALID_ARGUMENT, field);
    t.ok(stream.error?.details.startsWith(`${field}: `), `${field}: ${stream.error?.details}`);
  }
});
