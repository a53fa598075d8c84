import t from 'tap';
import { counterToNumber } from '../../src/contract/time.js';
import { until } from '../gateway/reader.js';
import { collect, serviceWithClient } from './service.js';

t.test('statistics tell of each client what it got, and what it did not', async (t) => {
  const { client } = await serviceWithClient(t);
  collect(t, client.streamReads({ clientName: 'all' }));
  collect(t, client.streamReads({ clientName: 'antenna 1', filter: { antennas: [1] } }));
  await until('both are there', async () => (await client.getStatus()).subscribers === 2);
  await client.startInventory({ plan: {} });
  await until(
    'reads',
    async () => counterToNumber((await client.getStatus()).counters?.reads) > 200,
  );
  await client.stopInventory();
  await until('all is delivered', async () =>
    (await client.getStatistics()).subscribers.every(
      ({ waiting }) => counterToNumber(waiting) === 0,
    ),
  );
  const { subscribers, counters, readLog, connections, service } = await client.getStatistics();
  const reported = counterToNumber(counters?.reported);
  const [all, one] = subscribers;
  t.equal(all?.clientName, 'all');
  t.equal(counterToNumber(all?.delivered), reported);
  t.equal(counterToNumber(all?.filtered), 0);
  const ofAntenna1 = counterToNumber(counters?.readsByAntenna?.['1']);
  t.equal(counterToNumber(one?.delivered), ofAntenna1);
  t.equal(counterToNumber(one?.filtered), reported - ofAntenna1);
  t.equal(counterToNumber(readLog?.nextSequence), reported + 1);
  t.equal(counterToNumber(readLog?.oldestSequence), 1);
  t.ok(counterToNumber(readLog?.bytes) > 20 * reported);
  t.equal(connections?.clients, 1);
  t.ok(counterToNumber(service?.memoryBytes) > 1e6);
});
