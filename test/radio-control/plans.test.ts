/** Plans over gRPC: changes, explanations, access, inputs, start and stop conditions. */
import { setTimeout as sleep } from 'node:timers/promises';
import { status as GrpcStatus } from '@grpc/grpc-js';
import t, { type Test } from 'tap';
import { RadioClient } from '../../src/contract/client.js';
import {
  AccessOperation,
  Bank,
  IdFilter,
  type InventoryPlanInput,
  RadioState,
  ReportFilter,
  type TagRead,
} from '../../src/contract/messages.js';
import { counterToNumber } from '../../src/contract/time.js';
import { startRadioControl } from '../oem/radio-control.js';

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
  return { client, reads };
}

async function until(check: () => boolean | Promise<boolean>, what: string): Promise<void> {
  for (let i = 0; i < 500; i++) {
    if (await check()) return;
    await sleep(20);
  }
  throw new Error(`waited in vain until ${what}`);
}

const rejection = (promise: Promise<unknown>) =>
  promise.then(
    () => {
      throw new Error('it did not fail');
    },
    (error) => error as { code: number; details: string },
  );

const TID: InventoryPlanInput = { memory: [{ bank: Bank.BANK_TID, wordCount: 2 }] };

t.test('memory and access come back with each read', async (t) => {
  const { client, reads } = await radio(t);
  const read = {
    kind: AccessOperation.Kind.READ,
    bank: Bank.BANK_EPC,
    wordPointer: 1,
    wordCount: 1,
  };
  const antennas = [{ port: 1, access: [read, { ...read, bank: Bank.BANK_USER }] }];
  await client.startInventory({ plan: { ...TID, antennas } });
  await until(() => reads.some(({ memory }) => memory[0]?.data?.length === 4), 'a TID came');
  await client.stopInventory();
  for (const { memory, access } of reads) {
    t.equal(memory.length, 1);
    t.equal(access.length, 2);
  }
  const [whole] = reads.filter(({ memory }) => memory[0]?.data?.length === 4);
  t.match(Buffer.from(whole?.memory[0]?.data ?? []).toString('hex'), /^e280/);
  t.same([...(whole?.access[0]?.data ?? [])], [(whole?.pc ?? 0) >> 8, (whole?.pc ?? 0) & 255]);
});

t.test('a plan is changed while reading; its reads carry its number', async (t) => {
  const { client, reads } = await radio(t);
  t.equal(
    (await rejection(client.changePlan({ plan: {} }))).code,
    GrpcStatus.FAILED_PRECONDITION,
    'nothing runs yet',
  );
  const { inventoryId } = await client.startInventory({ plan: {} });
  await until(() => reads.length > 20, 'reads came');
  const wrong = await rejection(client.changePlan({ plan: { linkProfile: 'X' }, inventoryId }));
  t.equal(wrong.code, GrpcStatus.INVALID_ARGUMENT);
  t.match(wrong.details, /link_profile: "X" given; allowed: /);
  const other = await rejection(client.changePlan({ plan: {}, inventoryId: 'another' }));
  t.equal(other.code, GrpcStatus.FAILED_PRECONDITION);
  t.match(other.details, /another/);
  const { plan } = await client.changePlan({ plan: TID, inventoryId });
  t.equal(plan, 1);
  await until(() => reads.some((one) => one.plan === 1), 'reads of the new plan came');
  t.ok(reads.filter((one) => one.plan === 0).every(({ memory }) => memory.length === 0));
  t.ok(reads.filter((one) => one.plan === 1).every(({ memory }) => memory.length === 1));
  const status = await client.getStatus();
  t.match(status, { inventoryId, plan: 1, state: RadioState.RADIO_STATE_READING });
  t.equal(counterToNumber(status.counters?.planChanges), 1);
});

t.test('a service that reads nothing', async (t) => {
  const { client } = await radio(t);

  t.test('a plan is explained without touching the radio', async (t) => {
    const plan: InventoryPlanInput = {
      ...TID,
      antennas: [
        { port: 1, query: { tagPopulation: 50 } },
        { port: 2, dwell: { durationMs: 100 } },
      ],
      linkProfile: 'FM0-640',
    };
    const explained = await client.explainPlan({ plan });
    t.equal(explained.linkProfile, 'FM0-640');
    t.ok(Math.abs(explained.ceilingReadsPerSecond - 1440) < 1);
    const [first, second] = explained.antennas;
    t.equal(first?.tags, 50);
    t.equal(first?.reads, 50);
    t.equal(first?.antenna?.transmitPowerCdbm, 2700, 'defaults are filled in');
    t.equal(first?.antenna?.access?.length, 1, 'the memory read is there');
    t.ok((first?.accessUsPerTag ?? 0) > 500);
    t.equal(second?.visitUs, 100_000);
    t.ok(Math.abs((first?.share ?? 0) + (second?.share ?? 0) - 1) < 1e-9);
    t.match(await client.getStatus(), { state: RadioState.RADIO_STATE_IDLE, inventoryId: '' });
    t.equal(
      (await rejection(client.explainPlan({ plan: { antennas: [{ port: 9 }] } }))).code,
      GrpcStatus.INVALID_ARGUMENT,
    );
  });

  t.test('an expression that could take for ever is refused', async (t) => {
    for (const [value, reason] of [
      ['(a+)+$', /quick on every id/],
      ['(3', /a regular expression/],
      ['x'.repeat(1025), /1025 characters given/],
    ] as const) {
      const idFilter = { match: IdFilter.Match.REGEX, value };
      const refused = await rejection(client.startInventory({ plan: { idFilter } }));
      t.equal(refused.code, GrpcStatus.INVALID_ARGUMENT);
      t.match(refused.details, /^id_filter\.value: /);
      t.match(refused.details, reason);
    }
  });

  t.test('every wrong field of a plan is named at once', async (t) => {
    const refused = await rejection(
      client.startInventory({
        plan: {
          antennas: [
            {
              port: 1,
              beam: 3,
              selects: [{ target: 9 as never, length: 20, mask: Buffer.from([1]) }],
              access: [{ kind: AccessOperation.Kind.WRITE }, { kind: AccessOperation.Kind.KILL }],
              dwell: { input: { port: 0 } },
            },
          ],
          delayAfterSelectsUs: 65_001,
          minRssiCdbm: 1,
          cycleDelay: { durationMs: 60_001 },
          start: { restart: true, everyMs: 1 },
          stop: { tagCount: 1_000_001, inputs: [{ port: 17, debounceMs: 60_001 }] },
        },
      }),
    );
    for (const field of [
      'antennas[0].beam',
      'antennas[0].selects[0].target',
      'antennas[0].selects[0].mask',
      'antennas[0].access[0].data',
      'antennas[0].access[1].password',
      'antennas[0].dwell.input.port',
      'delay_after_selects_us',
      'min_rssi_cdbm',
      'cycle_delay.duration_ms',
      'start.restart',
      'stop.tag_count',
      'stop.inputs[0].port',
      'stop.inputs[0].debounce_ms',
    ]) {
      t.ok(refused.details.includes(`${field}: `), field);
    }
  });
});

t.test('inputs start and stop reading', async (t) => {
  const { client, reads } = await radio(t);
  const wrong = await rejection(client.setInput({ port: 3, high: true }));
  t.equal(wrong.code, GrpcStatus.INVALID_ARGUMENT);
  t.match(wrong.details, /port: 3 given; allowed: 1\.\.2$/);
  await client.startInventory({
    plan: {
      start: { inputs: [{ port: 2, high: false }], restart: true },
      stop: { inputs: [{ port: 2, high: true }] },
    },
  });
  await sleep(100);
  t.match(await client.getStatus(), { waiting: true });
  t.equal(reads.length, 0);
  for (const period of [1, 2]) {
    const before = reads.length;
    await client.setInput({ port: 2, high: false });
    await until(() => reads.length > before + 5, 'it reads');
    await client.setInput({ port: 2, high: true });
    await until(async () => (await client.getStatus()).waiting, 'it waits again');
    t.equal(counterToNumber((await client.getStatus()).counters?.periods), period);
  }
  t.match(await client.stopInventory(), {});
  t.match(await client.getStatus(), { endReason: 'stopped', waiting: false });
});

t.test('why a tag is not reported can be asked', async (t) => {
  const { client, reads } = await radio(t);
  const epc = Buffer.alloc(12);
  t.match(await client.explainTag({ epc }), { summary: 'there was no inventory yet' });
  await client.startInventory({
    plan: {
      reportFilter: { kind: ReportFilter.Kind.PERIODIC, periodMs: 3_600_000 },
      idFilter: { match: IdFilter.Match.REGEX, value: '^30' },
    },
  });
  await until(() => reads.length > 3, 'reports came');
  t.match(await client.explainTag({ epc }), { idFiltered: true, summary: /id filter/ });
  const known = await client.explainTag({ epc: reads[0]?.epc as Uint8Array });
  t.match(known, { idFiltered: false, summary: /holds it back/ });
  t.equal(known.sightings.length, 1);
  const never = await client.explainTag({ epc: Buffer.from('30ffffff', 'hex') });
  t.match(never, { sightings: [], summary: /was not read/ });
  const { counters } = await client.stopInventory();
  const of = (name: 'reads' | 'reported' | 'filtered' | 'idFiltered' | 'dropped') =>
    counterToNumber(counters?.[name]);
  t.equal(of('reads'), of('reported') + of('filtered') + of('idFiltered') + of('dropped'));
});
