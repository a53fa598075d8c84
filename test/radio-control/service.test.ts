import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { credentials, status as GrpcStatus, loadPackageDefinition } from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';
import { protoPath as healthProto } from 'grpc-health-check';
import t, { type Test } from 'tap';
import { RadioClient } from '../../src/contract/client.js';
import {
  type InventoryPlanInput,
  RadioState,
  type ReadBatch,
  ReportFilter,
  type TagRead,
} from '../../src/contract/messages.js';
import { counterToNumber, timeNsToMs } from '../../src/contract/time.js';
import { PACKAGE_ROOT } from '../../src/shared/package-info.js';
import { startRadioControl } from '../oem/radio-control.js';

const EVERY_READ: InventoryPlanInput = {};

async function radio(t: Test, args: string[] = []) {
  const service = await startRadioControl(t, args);
  const client = new RadioClient(service.target);
  t.teardown(() => client.close());
  return { service, client };
}

/** Collects batches from now on. */
async function listen(t: Test, client: RadioClient, maxLatencyMs = 0) {
  const batches: ReadBatch[] = [];
  const stream = client.streamReads({ maxLatencyMs });
  stream.on('error', () => {});
  stream.on('data', (batch: ReadBatch) => batches.push(batch));
  t.teardown(() => stream.cancel());
  await new Promise((resolve) => stream.once('metadata', resolve));
  return { batches, reads: () => batches.flatMap((batch) => batch.reads as TagRead[]), stream };
}

async function until(check: () => boolean | Promise<boolean>, what: string): Promise<void> {
  for (let i = 0; i < 500; i++) {
    if (await check()) return;
    await sleep(20);
  }
  throw new Error(`waited in vain until ${what}`);
}

async function rejection(promise: Promise<unknown>): Promise<{ code: number; details: string }> {
  try {
    await promise;
  } catch (error) {
    return error as { code: number; details: string };
  }
  throw new Error('it did not fail');
}

t.test('one service', async (t) => {
  const { client, service } = await radio(t);
  // Each begins with an idle one.
  t.afterEach(() => client.stopInventory());

  t.test('capabilities name the module, its antennas, powers and link profiles', async (t) => {
    const capabilities = await client.getCapabilities();
    t.match(capabilities, { module: 'virtual', antennas: [1, 2, 3, 4], sequencesAntennas: false });
    t.ok(capabilities.linkProfiles.includes('FM0-640'));
    t.ok(capabilities.maxTransmitPowerCdbm >= 2700);
    t.match(capabilities.serviceVersion, /^\d+\.\d+\.\d+$/);
  });

  t.test('an inventory from start to stop: state, reads, counters', async (t) => {
    t.match(await client.getStatus(), { state: RadioState.RADIO_STATE_IDLE, inventoryId: '' });
    const { batches, reads } = await listen(t, client);
    const { inventoryId } = await client.startInventory({ plan: EVERY_READ, owner: 'test' });
    t.match(await client.getStatus(), {
      state: RadioState.RADIO_STATE_READING,
      inventoryId,
      owner: 'test',
      paced: true,
      subscribers: 1,
    });
    await until(() => reads().length > 50, 'fifty reads came');
    const { counters } = await client.stopInventory();
    t.match(await client.getStatus(), { state: RadioState.RADIO_STATE_IDLE, endReason: 'stopped' });
    const { service } = await client.getStatus();
    t.ok(counterToNumber(service?.uptimeMs) > 0, 'it says how long it lives');
    t.ok(counterToNumber(service?.cpuTimeMs) > 0, 'and what it used');
    t.ok(counterToNumber(service?.memoryBytes) > 1_000_000);
    const count = (name: 'reads' | 'reported' | 'filtered' | 'dropped' | 'singleSlots') =>
      counterToNumber(counters?.[name]);
    await until(() => reads().length === count('reported'), 'every report arrived');
    t.equal(count('reads'), count('reported') + count('filtered') + count('dropped'));
    t.equal(count('dropped'), 0);
    t.ok(count('singleSlots') >= count('reads'), 'each read took a single slot');

    let next = 1;
    for (const batch of batches) {
      t.equal(counterToNumber(batch.firstSequence), next, 'sequence numbers have no gap');
      next += batch.reads.length;
    }
    const now = Date.now();
    for (const read of reads()) {
      t.ok(Math.abs(timeNsToMs(read.timeNs) - now) < 60_000, 'the time is of today');
      t.ok(read.antenna >= 1 && read.antenna <= 4);
      t.ok(read.rssiCdbm < -2000 && read.rssiCdbm > -9000, `RSSI ${read.rssiCdbm}`);
      t.equal(read.epc.length, 12);
      t.equal(read.pc >> 11, 6, 'the PC tells the length of the EPC in words');
    }
  });

  t.test('the first read of an idle stream does not wait for others', async (t) => {
    const { batches } = await listen(t, client, 1000);
    await client.startInventory({ plan: EVERY_READ, owner: '' });
    await until(() => batches.length > 0, 'the first batch came');
    // A second of reads would be some hundred; a busy machine delivers the first ones in one go.
    t.ok((batches[0] as ReadBatch).reads.length < 100, 'it holds but the first reads');
  });

  t.test('a plan that cannot run is refused with every field named', async (t) => {
    const error = await rejection(
      client.startInventory({
        plan: {
          antennas: [{ port: 9 }, { port: 1, transmitPowerCdbm: 9900 }, { port: 1 }],
          linkProfile: 'FM9-1',
        },
        owner: '',
      }),
    );
    t.equal(error.code, GrpcStatus.INVALID_ARGUMENT);
    t.match(error.details, /antennas\[0\]\.port/);
    t.match(error.details, /antennas\[1\]\.transmit_power_cdbm/);
    t.match(error.details, /antennas\[2\]\.port/);
    t.match(error.details, /link_profile/);
    const filter = { kind: ReportFilter.Kind.PERIODIC };
    const second = await rejection(
      client.startInventory({ plan: { reportFilter: filter }, owner: '' }),
    );
    t.match(second.details, /report_filter\.period_ms/);
    t.match(await client.getStatus(), { state: RadioState.RADIO_STATE_IDLE });
  });

  t.test('one inventory runs at a time; stopping an idle radio is no error', async (t) => {
    await client.stopInventory();
    await client.startInventory({ plan: EVERY_READ, owner: 'the first' });
    const error = await rejection(client.startInventory({ plan: EVERY_READ, owner: 'the second' }));
    t.equal(error.code, GrpcStatus.FAILED_PRECONDITION);
    t.match(error.details, /the first/);
    await client.stopInventory();
    await client.startInventory({ plan: EVERY_READ, owner: 'the second' });
    t.match(await client.getStatus(), { owner: 'the second' });
  });

  // Health and reflection are added a moment after the first client can connect: both are waited for.
  t.test('the health service says SERVING', async (t) => {
    // biome-ignore lint/suspicious/noExplicitAny: a service loaded at run time
    const { grpc } = loadPackageDefinition(loadSync(healthProto, { enums: String })) as any;
    const health = new grpc.health.v1.Health(service.target, credentials.createInsecure());
    t.teardown(() => health.close());
    let answer: { status?: string } | undefined;
    await until(async () => {
      answer = await new Promise((resolve) => {
        health.Check({ service: 'singulate.radio.v1.Radio' }, (_error: unknown, value: object) =>
          resolve(value),
        );
      });
      return answer !== undefined;
    }, 'health answers');
    t.equal(answer?.status, 'SERVING');
  });

  t.test('reflection lists the contract', async (t) => {
    const proto = join(
      PACKAGE_ROOT,
      'node_modules/@grpc/reflection/build/proto/grpc/reflection/v1/reflection.proto',
    );
    // biome-ignore lint/suspicious/noExplicitAny: a service loaded at run time
    const { grpc } = loadPackageDefinition(loadSync(proto)) as any;
    const reflection = new grpc.reflection.v1.ServerReflection(
      service.target,
      credentials.createInsecure(),
    );
    t.teardown(() => reflection.close());
    const list = () =>
      new Promise<string[]>((resolve) => {
        const call = reflection.ServerReflectionInfo();
        call.on('error', () => resolve([]));
        call.on('data', (answer: { listServicesResponse: { service: { name: string }[] } }) => {
          resolve(answer.listServicesResponse.service.map(({ name }) => name));
          call.end();
        });
        call.write({ listServices: '' });
      });
    let services: string[] = [];
    await until(async () => {
      services = await list();
      return services.length > 0;
    }, 'reflection answers');
    t.ok(services.includes('singulate.radio.v1.Radio'), services.join(', '));
  });
});

t.test('stop conditions of the plan end the inventory by itself', async (t) => {
  const { client, service } = await radio(t, ['--fast']);
  await client.startInventory({ plan: { stop: { cycles: 3 } }, owner: '' });
  await until(
    async () => (await client.getStatus()).state === RadioState.RADIO_STATE_IDLE,
    'it has ended',
  );
  const status = await client.getStatus();
  t.equal(status.endReason, 'cycles');
  t.equal(counterToNumber(status.counters?.cycles), 3);
  t.match(
    service.messages.find(({ type }) => type === 'inventory-ended'),
    { reason: 'cycles', counters: { cycles: 3 } },
    'the supervisor is told',
  );
});

t.test('a subscriber that takes nothing holds a fast radio, and nothing is lost', async (t) => {
  const { client } = await radio(t, ['--fast']);
  const { reads, stream, batches } = await listen(t, client);
  stream.pause();
  await client.startInventory({ plan: { stop: { durationMs: 3_600_000 } }, owner: '' });
  const reported = async () => counterToNumber((await client.getStatus()).counters?.reported);
  let held = 0;
  await until(async () => {
    const before = await reported();
    await sleep(300);
    held = await reported();
    return held > 0 && held === before;
  }, 'the radio waits');
  stream.resume();
  await until(() => reads().length > held, 'it goes on');
  await client.stopInventory();
  const total = counterToNumber((await client.getStatus()).counters?.reads);
  await until(() => reads().length === total, 'every read arrived');
  t.equal(counterToNumber(batches.at(-1)?.dropped), 0);
});

t.test('a bad option or scenario is one line and exit code 2', async (t) => {
  for (const [args, expected] of [
    [['--seed', 'x'], /--seed/],
    [['--scenario', 'no-such'], /no-such/],
    [['--scenario', 'dock-door', '--replay', 'x'], /--scenario and --replay/],
  ] as const) {
    const error = await startRadioControl(t, [...args]).catch((reason: Error) => reason);
    t.type(error, Error);
    t.match((error as Error).message, /ended with 2: /);
    t.match((error as Error).message, expected);
  }
});
