import { join } from 'node:path';
import t from 'tap';
import { FIELD, PLAN } from '../../bench/footprint/field.js';
import { type ReadBatch, WhenSlow } from '../../src/contract/messages.js';
import { counterToNumber } from '../../src/contract/time.js';
import { until } from '../gateway/reader.js';
import { serviceWithClient } from './service.js';

const OBSERVERS = 50;

t.test('of fifty observers one takes nothing, and the others do not notice', async (t) => {
  const scenario = join(t.testdir({ 'field.json': JSON.stringify(FIELD) }), 'field.json');
  const { client, connect } = await serviceWithClient(t, ['--scenario', scenario]);
  const counts = new Array<number>(OBSERVERS - 1).fill(0);
  const gaps: string[] = [];
  for (const observer of counts.keys()) {
    let next = 0;
    const stream = connect().streamReads({ whenSlow: WhenSlow.WHEN_SLOW_DROP_OLDEST });
    stream.on('error', () => {});
    t.teardown(() => stream.cancel());
    stream.on('data', (batch: ReadBatch) => {
      const first = counterToNumber(batch.firstSequence);
      if (first !== (next || 1)) gaps.push(`observer ${observer}: ${first} after ${next - 1}`);
      next = first + batch.reads.length;
      counts[observer] = next - 1;
    });
  }
  const stalled = connect().streamReads({ clientName: 'stalled' });
  stalled.on('error', () => {});
  t.teardown(() => stalled.cancel());
  // Before its first read a client of grpc-js takes everything, paused or not.
  stalled.once('data', () => stalled.pause());
  await until('all are there', async () => (await client.getStatus()).subscribers === OBSERVERS);

  await client.startInventory({ plan: PLAN });
  const waitingOf = async () => {
    const { subscribers } = await client.getStatistics();
    const one = subscribers.find(({ clientName }) => clientName === 'stalled');
    return counterToNumber(one?.waiting);
  };
  await until('the stalled one is behind', async () => (await waitingOf()) > 500, 60_000);
  const { counters } = await client.stopInventory();
  const reported = counterToNumber(counters?.reported);
  await until('the others have all', () => counts.every((count) => count === reported));
  t.strictSame(gaps, []);
  t.equal(counterToNumber(counters?.dropped), 0);
  t.ok((await waitingOf()) > 500, 'what it did not take waits for it in the log');
});
