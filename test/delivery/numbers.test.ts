/** The ledger of event numbers: what it is given in place of a restart, and what comes out. */
import { randomUUID } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmdirSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { freePort } from '../../bench/delivery/free-port.js';
import { Endpoint } from '../../src/reader-gateway/delivery/endpoint.js';
import {
  DAMAGED_NUMBERS,
  MOST_ENDPOINTS,
  NUMBERS_FILE,
  NumberLedger,
} from '../../src/reader-gateway/delivery/numbers/ledger.js';
import { RECORD_BYTES } from '../../src/reader-gateway/delivery/numbers/record.js';
import { TcpServerTransport } from '../../src/reader-gateway/delivery/transports/tcp-server.js';
import { systemClock } from '../../src/shared/clock.js';
import { createLogger } from '../../src/shared/log.js';
import { temporaryFolder, until } from '../gateway/reader.js';
import {
  event,
  type LineClient,
  lineClient,
  NO_CERTIFICATES,
  offer,
  range,
  silent,
} from './harness.js';

const RETENTION = { maxEvents: 150_000, maxAgeMs: Number.POSITIVE_INFINITY, throttle: Infinity };

interface Running {
  ledger: NumberLedger;
  endpoint: Endpoint;
  /** A client that has come. */
  client(): Promise<LineClient>;
  /** In good order. */
  stop(): Promise<void>;
}

/** @param bootId Of the machine: another one is that of after a loss of power. */
async function start(
  t: Test,
  folder: string,
  bootId: string,
  { log = silent, transportClock = systemClock } = {},
): Promise<Running> {
  const ledger = NumberLedger.open(folder, log, { bootId });
  const port = await freePort();
  const transport = new TcpServerTransport(
    { tcpipport: String(port) },
    NO_CERTIFICATES,
    transportClock,
  );
  const numbers = ledger.numbers('data', 'line');
  const endpoint = new Endpoint(
    { name: 'line', batching: undefined, retention: RETENTION, numbers },
    transport,
    silent,
    systemClock,
    () => {},
  );
  endpoint.open();
  const stop = async () => {
    await endpoint.stop(0, true);
    ledger.close();
  };
  t.teardown(stop);
  return { ledger, endpoint, stop, client: () => lineClient(endpoint, port) };
}

/** The state folder as a disk has it at this moment. */
function copyOf(t: Test, folder: string): string {
  const copy = temporaryFolder(t);
  copyFileSync(join(folder, NUMBERS_FILE), join(copy, NUMBERS_FILE));
  return copy;
}

t.test('after a loss of power numbers jump over all that can have been used', async (t) => {
  const folder = temporaryFolder(t);
  const before = await start(t, folder, randomUUID());
  const early = copyOf(t, folder);
  offer(before.endpoint, 400);
  const client = await before.client();
  await until('400 came', () => client.arrivals.numbers.length === 400);

  // The disk has none of what was written since the start.
  const after = await start(t, early, randomUUID());
  offer(after.endpoint, 1);
  const late = await after.client();
  await until('the next', () => late.arrivals.numbers.length === 1);
  const [next = 0] = late.arrivals.numbers;
  t.ok(next > 400, `${next} was not used before`);
  t.match(late.arrivals.overflows, [{ firstEventNum: 1, lastEventNum: next - 1, lost: 0 }]);
  t.equal(after.endpoint.counters.dropped, 0);
});

t.test('numbers are reserved in time, however many are used', async (t) => {
  const folder = temporaryFolder(t);
  const ledger = NumberLedger.open(folder, silent, { bootId: randomUUID() });
  t.teardown(() => ledger.close());
  const numbers = ledger.numbers('data', 'line');
  for (let used = 0; used < 20_000; used += 100) {
    for (let i = 0; i < 100; i++) numbers.take();
    await until('the next are reserved', () => {
      const disk = NumberLedger.open(copyOf(t, folder), silent, { bootId: randomUUID() });
      const { next } = disk.numbers('data', 'line');
      disk.close();
      return next >= numbers.next;
    });
  }
  t.equal(numbers.next, 20_001);
});

t.test('a process that is killed has lost what waited, and nothing else', async (t) => {
  const folder = temporaryFolder(t);
  const bootId = randomUUID();
  const before = await start(t, folder, bootId);
  offer(before.endpoint, 10);
  const client = await before.client();
  await until('10 arrived', () => before.endpoint.counters.sent === 10);
  await client.end();
  await until('the client is missed', () => !before.endpoint.state.connected);
  offer(before.endpoint, 7);
  // While events flow, it counts numbers ahead.
  await until('the ledger has them', () => {
    const disk = NumberLedger.open(copyOf(t, folder), silent, { bootId });
    const numbers = disk.numbers('data', 'line');
    const { events } = numbers.takeLeft();
    disk.close();
    return numbers.next === 18 && events.reduce((sum, { count }) => sum + count, 0) === 7;
  });

  const after = await start(t, copyOf(t, folder), bootId);
  t.equal(after.endpoint.counters.dropped, 7);
  offer(after.endpoint, 1);
  const late = await after.client();
  await until('the next', () => late.arrivals.numbers.length === 1);
  t.same(late.arrivals.numbers, [18]);
  t.match(late.arrivals.overflows, [{ firstEventNum: 11, lastEventNum: 17, lost: 7 }]);
});

t.test('of a process that is killed while events flow no number is used again', async (t) => {
  const folder = temporaryFolder(t);
  const bootId = randomUUID();
  const before = await start(t, folder, bootId);
  const client = await before.client();
  const moments: { used: number; copy: string }[] = [];
  for (let used = 0; used < 3000; used += 30) {
    offer(before.endpoint, 30);
    await until('they came', () => client.arrivals.numbers.length === used + 30);
    moments.push({ used: used + 30, copy: copyOf(t, folder) });
  }
  for (const { used, copy } of moments) {
    const disk = NumberLedger.open(copy, silent, { bootId });
    const numbers = disk.numbers('data', 'line');
    const { next } = numbers;
    const { events, unsure } = numbers.takeLeft();
    disk.close();
    t.ok(next > used, `${next} is free after ${used}`);
    t.ok(next <= 4 * used + 100, 'and not far ahead');
    const reported = [...events, ...(unsure === undefined ? [] : [unsure])];
    t.ok(
      Math.max(...reported.map(({ lastNum }) => lastNum), 0) <= next - 1,
      'the gap is reported up to it',
    );
    if (unsure !== undefined) t.equal(unsure.lastNum, next - 1);
  }
});

t.test(
  'a loss that was not reported yet is reported after the next restart, and not twice',
  async (t) => {
    const folder = temporaryFolder(t);
    const first = await start(t, folder, 'aa');
    offer(first.endpoint, 5);
    await first.stop();
    // Nobody came.
    const second = await start(t, folder, 'aa');
    await second.stop();
    const third = await start(t, folder, 'aa');
    const client = await third.client();
    await until('it is reported', () => client.arrivals.overflows.length === 1);
    t.match(client.arrivals.overflows, [{ firstEventNum: 1, lastEventNum: 5, lost: 5 }]);
    await until('it has arrived', () => !third.endpoint.isSending);
    await client.end();
    await third.stop();
    const fourth = await start(t, folder, 'aa');
    offer(fourth.endpoint, 1);
    const late = await fourth.client();
    await until('the next', () => late.arrivals.numbers.length === 1);
    t.same(late.arrivals.numbers, [6]);
    t.same(late.arrivals.overflows, []);
  },
);

t.test(
  'a loss that was reported to a connection that then broke is reported again as it was',
  async (t) => {
    const folder = temporaryFolder(t);
    const first = await start(t, folder, 'aa');
    offer(first.endpoint, 5);
    await first.stop();
    // Nothing counts as arrived before half a second is over: that never comes.
    const transportClock = { ...systemClock, now: () => 0 };
    const second = await start(t, folder, 'aa', { transportClock });
    const client = await second.client();
    await until('it is reported', () => client.arrivals.overflows.length === 1);
    offer(second.endpoint, 3);
    await until('the next', () => client.arrivals.numbers.length === 3);
    const killed = copyOf(t, folder);

    const third = await start(t, killed, 'aa');
    const late = await third.client();
    await until('both are reported', () => late.arrivals.overflows.length === 2);
    t.same(late.arrivals.overflows[0], client.arrivals.overflows[0]);
    t.match(late.arrivals.overflows[1], { firstEventNum: 6 });
  },
);

t.test('one record that is torn costs nothing: there are two', async (t) => {
  const folder = temporaryFolder(t);
  const before = await start(t, folder, 'aa');
  offer(before.endpoint, 5);
  await before.stop();
  const bytes = readFileSync(join(folder, NUMBERS_FILE));
  bytes.fill(0xff, 100, 200);
  writeFileSync(join(folder, NUMBERS_FILE), bytes);
  const ledger = NumberLedger.open(folder, silent, { bootId: 'bb' });
  t.teardown(() => ledger.close());
  t.equal(ledger.numbers('data', 'line').next, 6);
  t.notOk(existsSync(join(folder, DAMAGED_NUMBERS)));
});

t.test('of a file that is damaged no number is used again', async (t) => {
  const damages: Record<string, (path: string) => void> = {
    'cut off': (path) => truncateSync(path, 300),
    empty: (path) => truncateSync(path, 0),
    rubbish: (path) => writeFileSync(path, 'rubbish'.repeat(10_000)),
    'both records': (path) => {
      const bytes = readFileSync(path);
      bytes.fill(0xff, 100, 200);
      const copy = MOST_ENDPOINTS * RECORD_BYTES;
      bytes.fill(0xff, copy + 100, copy + 200);
      writeFileSync(path, bytes);
    },
  };
  for (const [name, damage] of Object.entries(damages)) {
    const folder = temporaryFolder(t);
    const path = join(folder, NUMBERS_FILE);
    const before = await start(t, folder, 'aa');
    offer(before.endpoint, 5);
    await before.stop();
    damage(path);
    const damaged = readFileSync(path);

    const after = await start(t, folder, 'aa');
    t.same(readFileSync(join(folder, DAMAGED_NUMBERS)), damaged, `${name}: it is kept`);
    offer(after.endpoint, 1);
    const client = await after.client();
    await until('the next', () => client.arrivals.numbers.length === 1);
    const [next = 0] = client.arrivals.numbers;
    t.ok(next > 1e12 && Number.isSafeInteger(next), `${name}: ${next} is above all numbers`);
    t.match(client.arrivals.overflows, [{ firstEventNum: 1, lastEventNum: next - 1, lost: 0 }]);
    await client.end();
    await after.stop();
    const again = NumberLedger.open(folder, silent, { bootId: 'aa' });
    t.equal(again.numbers('data', 'line').next, next + 1, `${name}: it goes on there`);
    again.close();
  }
});

t.test('a file that cannot be written keeps nothing from going on', async (t) => {
  const folder = temporaryFolder(t);
  const path = join(folder, NUMBERS_FILE);
  mkdirSync(path);
  const lines: string[] = [];
  const log = createLogger('test', {}, { write: (line) => void lines.push(line) });
  const { ledger, endpoint, client } = await start(t, folder, 'aa', { log });
  offer(endpoint, 100);
  const one = await client();
  await until('all came', () => one.arrivals.numbers.length === 100);
  t.notOk(ledger.isKept);
  const errors = () => lines.filter((line) => line.includes('cannot be written'));
  t.equal(errors().length, 1, 'it is reported once');
  rmdirSync(path);
  await until('it is kept again', () => ledger.isKept);
  offer(endpoint, 1);
  await until('the next', () => one.arrivals.numbers.length === 101);
  const numbers = one.arrivals.numbers.map((number) => number - (one.arrivals.numbers[0] ?? 0));
  t.same(numbers, range(0, 100));
  t.equal(errors().length, 1);
  await until('the file is there', () => existsSync(path));
});

t.test('of endpoints that are gone the last ones are remembered', async (t) => {
  const folder = temporaryFolder(t);
  let clockMs = 1e12;
  const clock = { ...systemClock, now: () => clockMs };
  const open = () => NumberLedger.open(folder, silent, { bootId: 'aa', clock });
  let ledger = open();
  for (let i = 0; i < 3 * MOST_ENDPOINTS; i++) {
    clockMs += 1000;
    ledger.numbers('data', 'always').take();
    ledger.numbers('data', `name ${i}`).take();
    ledger.close();
    ledger = open();
  }
  t.equal(ledger.numbers('data', 'always').next, 3 * MOST_ENDPOINTS + 1);
  t.equal(ledger.numbers('data', `name ${3 * MOST_ENDPOINTS - 1}`).next, 2, 'it comes back');
  t.equal(ledger.numbers('data', 'name 0').next, 1, 'forgotten');
  t.equal(ledger.numbers('management', 'always').next, 1, 'another kind of events');
  ledger.close();
  t.equal(readFileSync(join(folder, NUMBERS_FILE)).length, 2 * MOST_ENDPOINTS * RECORD_BYTES);
});

t.test(
  'one endpoint after the other: what the first has left is reported by the next',
  async (t) => {
    const folder = temporaryFolder(t);
    const { ledger, endpoint } = await start(t, folder, 'aa');
    offer(endpoint, 3);
    await endpoint.stop(0);
    const port = await freePort();
    const transport = new TcpServerTransport(
      { tcpipport: String(port) },
      NO_CERTIFICATES,
      systemClock,
    );
    const numbers = ledger.numbers('data', 'line');
    const settings = { name: 'line', batching: undefined, retention: RETENTION, numbers };
    const next = new Endpoint(settings, transport, silent, systemClock, () => {});
    next.open();
    t.teardown(() => next.stop(0));
    next.offer(event());
    const client = await lineClient(next, port);
    await until('the next', () => client.arrivals.numbers.length === 1);
    t.same(client.arrivals.numbers, [4]);
    t.match(client.arrivals.overflows, [{ firstEventNum: 1, lastEventNum: 3, lost: 3 }]);
    t.equal(next.counters.dropped, 3);
  },
);
