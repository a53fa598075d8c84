/**
 * What each request costs the reader, with and without a token, against docs/request-costs.md.
 * UPDATE_DOCS=1 writes the table there.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { OPERATIONS } from '../../src/reader-gateway/operations/table.js';
import { pathFields, pathOf } from '../conformance/doors.js';
import { GROUPS } from '../conformance/groups/all.js';
import type { OperationCase } from '../conformance/operation-case.js';
import { OTHER_ROUTES, routeOf } from '../documents/routes.js';
import { FakeRadio } from '../gateway/fake-radio.js';
import {
  basic,
  PASSWORD,
  radioTarget,
  TestBroker,
  TestReader,
  temporaryFolder,
} from '../gateway/reader.js';
import { type Asked, Asker, type RequestCost, yardstickMs } from './asker.js';
import {
  CLASSES,
  type CostRow,
  documentedClasses,
  keyOf,
  writeTable,
  YARDSTICK_MS,
} from './cost-table.js';

/** Of each request; the median counts. */
const TIMES = 5;
/** What goes on after an answer is over by then. */
const PAUSE_MS = 20;
/** Not what is measured here. */
const NO_LIMIT = { share: 1, burstMs: 1e9, mostWaiting: 128 };

const yardsticks: number[] = [];
const rows: CostRow[] = [];

for (const [name, group] of Object.entries(GROUPS)) {
  t.test(name, async (t) => {
    const world = await openWorld(t);
    const cases = await group(world);
    for (const [operationName, oneCase] of Object.entries(cases)) {
      const operation = OPERATIONS.find((one) => one.name === operationName);
      if (operation === undefined) throw new Error(`${operationName} is no operation`);
      const inPath = pathFields(operation);
      const fields = Object.entries(oneCase.success).filter(([field]) => !inPath.includes(field));
      const request = {
        path: pathOf(operation, oneCase.success),
        method: operation.method,
        body: JSON.stringify(Object.fromEntries(fields)),
      };
      await measure(world, routeOf(operation), request, oneCase);
    }
  });
}

t.test('what is no operation', async (t) => {
  const world = await openWorld(t);
  for (const { method, path } of OTHER_ROUTES) {
    const endless = path === '/cloud/events';
    const login = path === '/cloud/localRestLogin' ? basic('admin', PASSWORD) : undefined;
    await measure(world, `${method} ${path}`, { method, path, endless, login }, {});
  }
});

t.test('the table', async (t) => {
  const scale = YARDSTICK_MS / median(yardsticks);
  t.comment(`the yardstick takes ${median(yardsticks)} ms`);
  const scaled = rows.map((row) => ({ ...row, cost: { ...row.cost, ms: scale * row.cost.ms } }));
  if (process.env.UPDATE_DOCS === '1') writeTable(scaled);
  const classes = documentedClasses();
  for (const row of scaled) {
    const { ms, bytes } = row.cost;
    const most = CLASSES[classes.get(keyOf(row)) ?? ''];
    t.ok(most, `${keyOf(row)} has a class`);
    const told = `${keyOf(row)}: ${ms.toFixed(1)} ms, ${Math.round(bytes / 1000)} KB`;
    t.ok(ms <= (most?.ms ?? 0) && bytes <= (most?.bytes ?? 0), told);
  }
});

interface Measured {
  reader: TestReader;
  asker: Asker;
  token(): Promise<string>;
}

type Request = Pick<Asked, 'method' | 'body' | 'endless'> & {
  path: string;
  login?: Record<string, string> | undefined;
};

async function measure(
  { reader, asker, token }: Measured,
  route: string,
  { path, login, ...request }: Request,
  { before, after }: Partial<OperationCase>,
): Promise<void> {
  yardsticks.push(yardstickMs());
  const costOf = async (headers: Record<string, string>, times: number) => {
    const url = `${reader.gateway.restUrl}${path}`;
    const nothing = await asker.cost({ ...request, url, headers, times: 0 });
    const { status, ms, bytes } = await asker.cost({ ...request, url, headers, times });
    return { status, ms: ms - nothing.ms / times, bytes: bytes - nothing.bytes / times };
  };
  const withToken: (RequestCost & { status: number })[] = [];
  for (let i = 0; i < TIMES; i++) {
    await before?.();
    const headers = login ?? { authorization: `Bearer ${await token()}` };
    await sleep(PAUSE_MS);
    const cost = await costOf(headers, 1);
    withToken.push(cost);
    const { status } = cost;
    await after?.({ status, failed: status > 299, body: {}, contentType: '' });
  }
  const without = [];
  for (let i = 0; i < TIMES; i++) without.push(await costOf({}, TIMES));
  for (const [who, costs] of [
    ['with', withToken],
    ['without', without],
  ] as const) {
    const cost = {
      ms: median(costs.map(({ ms }) => ms)),
      bytes: median(costs.map(({ bytes }) => bytes)),
    };
    rows.push({ route, token: who, status: costs[0]?.status ?? 0, cost });
  }
}

async function openWorld(t: Test) {
  const stateDir = temporaryFolder(t);
  const broker = new TestBroker();
  await broker.start();
  const radio = new FakeRadio();
  await radio.listen(radioTarget(stateDir));
  const restLimits = { strangers: NO_LIMIT };
  const reader = await TestReader.start(t, { stateDir, radio, broker, restLimits });
  t.teardown(async () => {
    await reader.gateway.stop();
    await broker.stop();
    radio.kill();
  });
  let known = '';
  const token = async () => {
    if (known === '') known = (await reader.login()).json.message;
    return known;
  };
  const logInAgain = async () => {
    known = '';
  };
  return { t, reader, radio, broker, logInAgain, token, asker: new Asker(t) };
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
