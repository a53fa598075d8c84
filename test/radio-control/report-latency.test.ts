/** How long reads wait for others: for as long as the plan, or the most impatient client, allows. */
import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { RadioClient } from '../../src/contract/client.js';
import type { ReadBatch } from '../../src/contract/messages.js';
import { startRadioControl } from '../oem/radio-control.js';

const LATENCY_MS = 100;
/** A batch may begin with the first read, and one end with the last. */
const ENDS = 3;

t.test('one radio in real time, read by a client that asks for 5 ms', async (t) => {
  const service = await startRadioControl(t);
  const client = new RadioClient(service.target);
  t.teardown(() => client.close());
  const batches: ReadBatch[] = [];
  const stream = client.streamReads({ maxLatencyMs: 5 });
  stream.on('error', () => {});
  stream.on('data', (batch: ReadBatch) => batches.push(batch));
  t.teardown(() => stream.cancel());
  await new Promise((resolve) => stream.once('metadata', resolve));

  /** Batches of a second, and how many there may be. */
  async function oneSecond() {
    batches.length = 0;
    const began = performance.now();
    await sleep(1000);
    const most = (performance.now() - began) / LATENCY_MS + ENDS;
    return { count: batches.length, most, reads: batches.flatMap(({ reads }) => reads).length };
  }

  t.test('the plan may be more patient', async (t) => {
    await client.startInventory({ plan: { reportLatencyMs: LATENCY_MS } });
    const { count, most, reads } = await oneSecond();
    t.ok(count <= most, `${count} batches, at most ${most}`);
    t.ok(reads > count, `${reads} reads`);
    await client.stopInventory();
  });

  t.test('so may one that follows it', async (t) => {
    await client.startInventory({ plan: {} });
    await client.changePlan({ plan: { reportLatencyMs: LATENCY_MS } });
    const { count, most } = await oneSecond();
    t.ok(count <= most, `${count} batches, at most ${most}`);
    const { counters } = await client.stopInventory();
    t.equal(Number(counters?.dropped ?? 0), 0);
  });

  t.test('more than 100 ms is refused', async (t) => {
    const refused = client.startInventory({ plan: { reportLatencyMs: 101 } });
    await t.rejects(refused, { message: /report_latency_ms: 101 given; allowed: 0\.\.100/ });
  });
});
