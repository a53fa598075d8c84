/** Events on disk: across a reboot, within a bound, and in spite of damage. */
import { randomUUID } from 'node:crypto';
import {
  appendFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { freePort } from '../../bench/delivery/free-port.js';
import { Endpoint } from '../../src/reader-gateway/delivery/endpoint.js';
import { NUMBERS_FILE, NumberLedger } from '../../src/reader-gateway/delivery/numbers/ledger.js';
import { TcpServerTransport } from '../../src/reader-gateway/delivery/transports/tcp-server.js';
import { systemClock } from '../../src/shared/clock.js';
import { temporaryFolder, until } from '../gateway/reader.js';
import { lineClient, NO_CERTIFICATES, offer, range, silent } from './harness.js';

interface Spilling {
  endpoint: Endpoint;
  port: number;
  /** In good order, what is left on disk. */
  stop(): Promise<void>;
}

interface Started {
  maxBytes?: number;
  bootId?: string;
}

async function start(
  t: Test,
  folder: string,
  { maxBytes = 64e6, bootId }: Started = {},
): Promise<Spilling> {
  const ledger = NumberLedger.open(folder, silent, { bootId });
  const port = await freePort();
  const options = { tcpipport: String(port) };
  const endpoint = new Endpoint(
    {
      name: 'spilling',
      batching: undefined,
      retention: { maxEvents: 150_000, maxAgeMs: Number.POSITIVE_INFINITY, throttle: Infinity },
      spill: { folder, maxBytes },
      numbers: ledger.numbers('data', 'spilling'),
    },
    new TcpServerTransport(options, NO_CERTIFICATES, systemClock),
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
  return { endpoint, port, stop };
}

const spilled = (folder: string) =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.spill'))
    .map((name) => join(folder, name));

t.test('events of an outage survive a restart, and their numbers go on', async (t) => {
  const folder = temporaryFolder(t);
  const before = await start(t, folder);
  offer(before.endpoint, 5000);
  await before.stop();

  const { endpoint, port } = await start(t, folder);
  t.equal(endpoint.counters.retained, 5000);
  offer(endpoint, 10);
  const client = await lineClient(endpoint, port);
  await until('all', () => client.arrivals.numbers.length === 5010);
  t.same(client.arrivals.numbers, range(1, 5010));
  t.same(client.arrivals.overflows, []);
  await until('they count as sent', () => endpoint.counters.sent === 5010);
  await until('the disk is empty again', () => spilled(folder).length === 0);
});

t.test(
  'after a loss of power what was on disk comes, and that numbers jump is reported',
  async (t) => {
    const folder = temporaryFolder(t);
    const before = await start(t, folder);
    offer(before.endpoint, 5000);
    // What waits follows to disk within a second; then the power goes.
    await until('all of it is on disk', () => {
      const bytes = spilled(folder).reduce((sum, file) => sum + statSync(file).size, 0);
      return bytes > 0 && before.endpoint.memoryBytes < 1000;
    });
    const copy = temporaryFolder(t);
    for (const name of readdirSync(folder)) {
      writeFileSync(join(copy, name), readFileSync(join(folder, name)));
    }
    const { endpoint, port } = await start(t, copy, { bootId: randomUUID() });
    offer(endpoint, 1);
    const client = await lineClient(endpoint, port);
    await until('all', () => client.arrivals.numbers.length === 5001);
    t.same(client.arrivals.numbers.slice(0, 5000), range(1, 5000));
    const next = client.arrivals.numbers[5000] ?? 0;
    t.ok(next > 5000, 'a number that was not used before');
    t.same(client.arrivals.unaccounted(next), []);
  },
);

t.test('with nothing on disk it is reported as well that numbers jump', async (t) => {
  const folder = temporaryFolder(t);
  const bootId = randomUUID();
  const before = await start(t, folder, { bootId });
  const client = await lineClient(before.endpoint, before.port);
  offer(before.endpoint, 400);
  // As if it were killed now: it counts with more.
  const killed = temporaryFolder(t);
  writeFileSync(join(killed, NUMBERS_FILE), readFileSync(join(folder, NUMBERS_FILE)));
  t.same(spilled(folder), []);
  await until('all came', () => client.arrivals.numbers.length === 400);

  const { endpoint, port } = await start(t, killed, { bootId });
  offer(endpoint, 1);
  const late = await lineClient(endpoint, port);
  await until('the next', () => late.arrivals.numbers.length === 1);
  const [next = 0] = late.arrivals.numbers;
  t.ok(next > 401, `${next} is not the one that followed`);
  const last = late.arrivals.overflows.at(-1)?.lastEventNum;
  t.equal(last, next - 1, 'up to it');
  for (const number of client.arrivals.numbers) late.arrivals.numbers.push(number);
  t.same(late.arrivals.unaccounted(next), []);
});

t.test('damage is noticed: the rest comes, what is gone is reported', async (t) => {
  const folder = temporaryFolder(t);
  const before = await start(t, folder);
  for (let turn = 0; turn < 3; turn++) {
    offer(before.endpoint, 1000);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  await before.stop();
  const [file = ''] = spilled(folder);
  const bytes = readFileSync(file);
  // One bit in the middle, and rubbish after the end.
  const middle = Math.floor(bytes.length / 2);
  bytes[middle] = (bytes[middle] as number) ^ 1;
  writeFileSync(file, bytes);
  appendFileSync(file, 'rubbish');

  const { endpoint, port } = await start(t, folder);
  const { retained, dropped } = endpoint.counters;
  t.ok(retained > 1500 && dropped > 0, `${retained} are left, ${dropped} are gone`);
  offer(endpoint, 1);
  const client = await lineClient(endpoint, port);
  await until('what is left', () => client.arrivals.distinct.has(3001));
  await until('it is reported', () => client.arrivals.unaccounted(3001).length === 0);
  t.equal(client.arrivals.distinct.size, retained + 1);
});

t.test('the bound of the disk holds, the oldest go and are reported', async (t) => {
  const folder = temporaryFolder(t);
  const maxBytes = 200_000;
  const { endpoint, port } = await start(t, folder, { maxBytes });
  for (let second = 0; second < 30; second++) {
    offer(endpoint, 5000);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  await until('everything is on disk', () => endpoint.memoryBytes < 200_000);
  await until('within its bound', () => {
    const bytes = spilled(folder).reduce((sum, file) => sum + statSync(file).size, 0);
    return bytes <= maxBytes + 4_000_000;
  });
  const client = await lineClient(endpoint, port);
  await until('the newest', () => client.arrivals.distinct.has(150_000), 20_000);
  t.same(client.arrivals.unaccounted(150_000), []);
  t.ok(endpoint.counters.dropped > 0);
});

t.test('losses of before a restart are reported after it', async (t) => {
  const folder = temporaryFolder(t);
  const before = await start(t, folder);
  offer(before.endpoint, 150_100);
  await before.stop();
  const { endpoint, port } = await start(t, folder);
  const client = await lineClient(endpoint, port);
  await until('the newest', () => client.arrivals.distinct.has(150_100), 20_000);
  t.match(client.arrivals.overflows, [{ firstEventNum: 1, lastEventNum: 100, lost: 100 }]);
  t.same(client.arrivals.unaccounted(150_100), []);
});

t.test('a disk that fails costs what was on it, and is reported', async (t) => {
  const folder = temporaryFolder(t);
  const { endpoint, port } = await start(t, folder);
  offer(endpoint, 5000);
  await until('it is on disk', () => spilled(folder).length > 0 && endpoint.memoryBytes < 1000);
  for (const file of spilled(folder)) rmSync(file);
  offer(endpoint, 100);
  const client = await lineClient(endpoint, port);
  await until('the newest', () => client.arrivals.distinct.has(5100));
  await until('the loss is reported', () => client.arrivals.unaccounted(5100).length === 0);
  t.equal(endpoint.counters.dropped, 5000);
  t.equal(endpoint.waiting, 0);
});

t.test('the numbers of software that had no ledger go on', async (t) => {
  const folder = temporaryFolder(t);
  const position = join(folder, 'position.json');
  const untold = { count: 2, firstNum: 5, lastNum: 6, firstAtMs: 0, lastAtMs: 0 };
  writeFileSync(position, JSON.stringify({ from: 801, next: 801, untold: [untold] }));
  const { endpoint, port } = await start(t, folder);
  offer(endpoint, 1);
  const client = await lineClient(endpoint, port);
  await until('the next', () => client.arrivals.numbers.length === 1);
  t.same(client.arrivals.numbers, [801]);
  t.match(client.arrivals.overflows, [{ firstEventNum: 5, lastEventNum: 6, lost: 2 }]);
  t.notOk(existsSync(position));
});
