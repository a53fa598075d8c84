/** Inputs and outputs of a simulated reader, over gRPC. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { status as GrpcStatus } from '@grpc/grpc-js';
import t, { type Test } from 'tap';
import { RadioClient } from '../../src/contract/client.js';
import { Line, type LinesUpdate } from '../../src/contract/messages.js';
import { scenarioFile } from '../../src/radio-control/scenario/library.js';
import { startRadioControl } from '../oem/radio-control.js';

const { INPUT } = Line.Kind;

async function radio(t: Test, args: string[] = []): Promise<RadioClient> {
  const service = await startRadioControl(t, args);
  const client = new RadioClient(service.target);
  t.teardown(() => client.close());
  return client;
}

async function watch(t: Test, client: RadioClient) {
  const updates: LinesUpdate[] = [];
  const stream = client.watchLines();
  stream.on('error', () => {});
  stream.on('data', (update: LinesUpdate) => updates.push(update));
  t.teardown(() => stream.cancel());
  await until(() => updates.length > 0, 'the first update');
  return {
    updates,
    changes: () => updates.slice(1).flatMap(({ lines }) => lines.map(short)),
  };
}

/** `gpi 1 high` */
function short({ kind, port, high }: { kind?: unknown; port?: unknown; high?: unknown }): string {
  return `${kind === INPUT ? 'gpi' : 'gpo'} ${port} ${high ? 'high' : 'low'}`;
}

async function until(check: () => unknown, what: string): Promise<void> {
  for (let i = 0; i < 500; i++) {
    if (check()) return;
    await sleep(20);
  }
  throw new Error(`waited in vain until ${what}`);
}

async function refusal(promise: Promise<unknown>): Promise<string> {
  try {
    await promise;
  } catch (error) {
    const { code, details } = error as { code: number; details: string };
    return `${GrpcStatus[code]} ${details}`;
  }
  throw new Error('it did not fail');
}

t.test('one service', async (t) => {
  const client = await radio(t);

  t.test('a reader has the lines of its model: inputs are high, outputs low', async (t) => {
    t.match(await client.getCapabilities(), { inputs: 2, outputs: 3 });
    const { lines, fault } = await client.getLines();
    t.equal(fault, '');
    t.strictSame(lines.map(short), [
      'gpi 1 high',
      'gpi 2 high',
      'gpo 1 low',
      'gpo 2 low',
      'gpo 3 low',
    ]);
    t.ok(lines.every(({ hardware }) => !hardware));
  });

  t.test('every watcher gets all levels, and then each change in its order', async (t) => {
    const first = await watch(t, client);
    await client.setOutput({ port: 3, high: true });
    await client.setInput({ port: 1, high: false });
    const late = await watch(t, client);
    t.match(late.updates[0], { complete: true, fault: '' });
    t.strictSame(late.updates[0]?.lines.map(short), [
      'gpi 1 low',
      'gpi 2 high',
      'gpo 1 low',
      'gpo 2 low',
      'gpo 3 high',
    ]);
    // A level that is there already is no change.
    await client.setOutput({ port: 3, high: true });
    await client.setInput({ port: 1, high: true });
    await client.setOutput({ port: 3, high: false });
    await until(() => late.changes().length === 2, 'both changes');
    t.strictSame(late.changes(), ['gpi 1 high', 'gpo 3 low']);
    await until(() => first.changes().length === 4, 'all changes');
    t.strictSame(first.changes(), ['gpo 3 high', 'gpi 1 low', 'gpi 1 high', 'gpo 3 low']);
    t.ok([...first.updates.slice(1), ...late.updates.slice(1)].every(({ complete }) => !complete));
  });

  t.test('a port that the reader does not have is refused with those it has', async (t) => {
    t.equal(
      await refusal(client.setOutput({ port: 4, high: true })),
      'INVALID_ARGUMENT port: 4 given; allowed: 1..3',
    );
    t.equal(
      await refusal(client.setInput({ port: 0, high: true })),
      'INVALID_ARGUMENT port: 0 given; allowed: 1..2',
    );
  });
});

t.test('another region leaves inputs and outputs as they are', async (t) => {
  const client = await radio(t);
  await client.setOutput({ port: 2, high: true });
  await client.setInput({ port: 2, high: false });
  const { regions, region } = await client.listRegions();
  const other = regions.find(({ name }) => name !== region);
  await client.setRegion({ region: other?.name ?? '' });
  const { lines } = await client.getLines();
  t.strictSame(lines.map(short), [
    'gpi 1 high',
    'gpi 2 low',
    'gpo 1 low',
    'gpo 2 high',
    'gpo 3 low',
  ]);
});

t.test('an input that moves by its scenario is seen, until it is told', async (t) => {
  const scenario = {
    ...JSON.parse(readFileSync(scenarioFile('dock-door'), 'utf8')),
    inputs: [{ port: 1, changeSeconds: [0.2, 0.4], periodSeconds: 0.5 }],
  };
  const file = join(t.testdir({}), 'scenario.json');
  writeFileSync(file, JSON.stringify(scenario));
  const client = await radio(t, ['--scenario', file]);
  const { changes } = await watch(t, client);
  await client.startInventory({ plan: {}, owner: 'test' });
  await until(() => changes().length >= 4, 'it moves');
  t.strictSame(changes().slice(0, 4), ['gpi 1 low', 'gpi 1 high', 'gpi 1 low', 'gpi 1 high']);
  await client.setInput({ port: 1, high: false });
  await until(() => changes().at(-1) === 'gpi 1 low', 'it is told');
  const before = changes().length;
  await sleep(700);
  t.equal(changes().length, before, 'what was told counts');
});

t.test('lines that cannot be had end the service with one line and code 2', async (t) => {
  for (const [gpio, message] of [
    [
      '/dev/no-such-chip:gpi=1',
      /^radio-control: --gpio: \/dev\/no-such-chip: cannot be opened: No/,
    ],
    ['/dev/null:gpo=1', /^radio-control: --gpio: \/dev\/null: is no GPIO chip: /],
    ['/dev/gpiochip0:gpo=x', /^radio-control: --gpio: gpo: "x" is not the number of a line/],
  ] as const) {
    const ended = await startRadioControl(t, ['--gpio', gpio]).catch((error) => error as Error);
    t.ok(ended instanceof Error);
    const text = (ended as Error).message.replace('radio-control ended with 2: ', '');
    t.match(text, message);
    t.equal(text.trimEnd().split('\n').length, 1);
  }
});
