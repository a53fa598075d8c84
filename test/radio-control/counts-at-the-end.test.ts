/** Whatever ends reading, every read is in the count of a report, and of one only. */
import t, { type Test } from 'tap';
import { RadioClient } from '../../src/contract/client.js';
import {
  type InventoryCountersInput,
  type InventoryPlanInput,
  ReportFilter,
  type TagRead,
} from '../../src/contract/messages.js';
import { counterToNumber } from '../../src/contract/time.js';
import { loadAddon } from '../../src/radio-control/addon/addon.js';
import { Inventory } from '../../src/radio-control/inventory.js';
import { createLogger } from '../../src/shared/log.js';
import { epcOf, options } from '../modes/on-air.js';
import { startRadioControl } from '../oem/radio-control.js';
import { plain, transport } from './hub-client.js';

const HOUR_MS = 3_600_000;
const { Kind, Scope } = ReportFilter;

const PLANS: Record<string, InventoryPlanInput> = {
  PERIODIC: {
    reportFilter: { kind: Kind.PERIODIC, scope: Scope.PER_ANTENNA, periodMs: HOUR_MS },
  },
  INTERVAL: {
    reportFilter: { kind: Kind.INTERVAL, scope: Scope.RADIO_WIDE, periodMs: HOUR_MS },
  },
};

async function radio(t: Test) {
  const service = await startRadioControl(t, []);
  const client = new RadioClient(service.target);
  t.teardown(() => client.close());
  const reads: TagRead[] = [];
  const stream = client.streamReads({});
  stream.on('error', () => {});
  stream.on('data', (batch) => reads.push(...(batch.reads as TagRead[])));
  t.teardown(() => stream.cancel());
  await new Promise((resolve) => stream.once('metadata', resolve));
  const ended: InventoryCountersInput[] = [];
  const events = client.watchEvents({});
  events.on('error', () => {});
  events.on('data', ({ events }) => {
    for (const { inventoryEnded } of events) {
      if (inventoryEnded?.counters) ended.push(inventoryEnded.counters);
    }
  });
  t.teardown(() => events.cancel());
  await new Promise((resolve) => events.once('metadata', resolve));
  const counted = () => reads.reduce((sum, { seenCount }) => sum + seenCount, 0);
  const readSoFar = async () => counterToNumber((await client.getStatus()).counters?.reads);
  return { service, client, reads, ended, counted, readSoFar };
}

async function until(check: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const deadline = Date.now() + 20_000;
  while (!(await check())) {
    if (Date.now() > deadline) throw new Error(`waited in vain until ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

for (const [kind, plan] of Object.entries(PLANS)) {
  t.test(`${kind}: stop, stop condition, another plan, the end of a period`, async (t) => {
    const { client, reads, ended, counted, readSoFar } = await radio(t);
    let reported = 0;
    const allCounted = async (what: string) => {
      const { reads = 0, dropped = 0 } = ended.at(-1) ?? {};
      t.equal(counterToNumber(dropped), 0);
      await until(() => counted() >= reported + counterToNumber(reads), what);
      t.equal(counted(), reported + counterToNumber(reads), what);
      reported = counted();
    };

    await client.startInventory({ plan });
    await until(async () => (await readSoFar()) > 200, '200 reads');
    await client.stopInventory();
    await until(() => ended.length === 1, 'it ended');
    await allCounted('a stop');
    const tags = new Set(reads.map(({ epc }) => Buffer.from(epc).toString('hex'))).size;
    t.ok(reported > 3 * tags, `${reported} reads of ${tags} tags`);

    await client.startInventory({ plan: { ...plan, stop: { durationMs: 300 } } });
    await until(() => ended.length === 2, 'it ended');
    await allCounted('a stop condition');

    // An unchanged filter remembers on, and yet no read of the old plan is reported under the new one.
    await client.startInventory({ plan });
    // Some tags more than twice, on the same of four antennas: their first reads are reported at once.
    const enough = 3 * 4 * tags;
    await until(async () => (await readSoFar()) > enough, `${enough} reads`);
    const first = reads.length;
    const power = { ...plan, antennas: [{ port: 1, transmitPowerCdbm: 2500 }] };
    const { plan: number } = await client.changePlan({ plan: power });
    await until(async () => (await client.getStatus()).plan === number, 'a read of the new plan');
    const ofOld = () => reads.slice(first).filter(({ plan }) => plan !== number);
    await until(() => ofOld().some(({ seenCount }) => seenCount > 1), 'counts of the old plan');
    const before = ofOld().length;
    await client.stopInventory();
    await until(() => ended.length === 3, 'it ended');
    await allCounted('another plan');
    t.equal(ofOld().length, before, 'and none of the old plan after those');

    const start = { inputs: [{ port: 1, high: false }], restart: true };
    const stop = { durationMs: 300 };
    await client.setInput({ port: 1, high: true });
    await client.startInventory({ plan: { ...plan, start, stop } });
    await client.setInput({ port: 1, high: false });
    await until(async () => (await readSoFar()) > 0, 'it reads');
    await until(async () => (await client.getStatus()).waiting, 'it waits for the next start');
    await until(async () => counted() === reported + (await readSoFar()), 'the end of a period');
    await client.stopInventory();
    await until(() => ended.length === 4, 'it ended');
    await allCounted('a stop while it waits');
  });

  t.test(`${kind}: the end of the service`, async (t) => {
    const { service, client, ended, counted, readSoFar } = await radio(t);
    await client.startInventory({ plan });
    await until(async () => (await readSoFar()) > 200, '200 reads');
    service.kill('SIGTERM');
    await until(() => ended.length === 1, 'the end was told');
    const { reads = 0 } = ended[0] as InventoryCountersInput;
    await until(() => counted() >= counterToNumber(reads), 'all counts');
    t.equal(counted(), counterToNumber(reads));
  });
}

t.test(
  'an interval ends on time when the clock of the machine is set back meanwhile',
  async (t) => {
    // It is there for a moment, so that no further read ends the interval.
    const field = {
      paced: true,
      startTimeNs: BigInt(Date.now()) * 1_000_000n,
      groups: [
        {
          waypoints: [
            [0, 0, 0, 0],
            [0.2, 0, 0, 0],
            [0.21, 0, 0, 9000],
          ] as [number, number, number, number][],
          periodSeconds: 0,
          tags: [
            {
              epc: Buffer.from(epcOf(1), 'hex'),
              offset: [0, 0, 0] as [number, number, number],
              sensitivityDbm: -20,
            },
          ],
        },
      ],
    };
    const inventory = new Inventory(
      new (loadAddon().Radio)(options({ field })),
      createLogger('test', { level: 'silent' }),
      {},
    );
    const client = transport();
    inventory.hub.subscribe(client, plain);
    await inventory.start(
      { reportFilter: { kind: Kind.INTERVAL, scope: Scope.RADIO_WIDE, periodMs: 1500 } },
      'test',
    );
    t.teardown(() => inventory.stop());
    await until(() => inventory.counters().reads !== 0, 'a read');
    const right = Date.now;
    t.teardown(() => {
      Date.now = right;
    });
    Date.now = () => right() - HOUR_MS;
    await until(() => client.messages.some(({ reads }) => reads.length === 1), 'the report');
  },
);
