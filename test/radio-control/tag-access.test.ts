/** AccessTag's class on the native core: turns, times, and inventories that start and end. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { AccessTagRequest, type AccessTagRequestInput } from '../../src/contract/messages.js';
import { TagAccess } from '../../src/radio-control/access/tag-access.js';
import { Inventory } from '../../src/radio-control/inventory.js';
import { createLogger } from '../../src/shared/log.js';
import { epcOf, PASSWORD, withMemory } from '../addon/access-request.js';
import { makeRadio, until } from '../addon/field.js';

const NEVER = new AbortController().signal;
const READ = { bank: 2, wordCount: 4 };
const log = createLogger('radio_control', { level: 'fatal' });

function setUp(t: Test) {
  const radio = makeRadio(withMemory());
  const inventory = new Inventory(radio, log, {});
  t.teardown(() => radio.close());
  return { inventory, access: new TagAccess(inventory, log) };
}

/** As it is received. */
const received = (given: AccessTagRequestInput): AccessTagRequest =>
  AccessTagRequest.decode(AccessTagRequest.encode(given).finish());

const request = (tag: number, changes: AccessTagRequestInput = {}) =>
  received({ tag: { epc: epcOf(tag) }, operations: [READ], timeoutMs: 20_000, ...changes });

const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'OK',
    (error) => error.code,
  );

t.test('a tag is read while nothing runs, and while an inventory does', async (t) => {
  const { inventory, access } = setUp(t);
  for (const reads of [false, true]) {
    if (reads) await inventory.start({}, '');
    const answer = await access.access(request(3), NEVER);
    t.same([...(answer.epc ?? [])], [...epcOf(3)]);
    t.same([...(answer.results?.[0]?.data ?? [])].at(-1), 3);
    t.ok((answer.rssiCdbm ?? 0) < 0);
  }
  await inventory.stop();
});

t.test('a tag that is not there, and a password that is wrong', async (t) => {
  const { access } = setUp(t);
  await t.rejects(access.access(request(99, { timeoutMs: 150 }), NEVER), {
    code: 'NOT_FOUND',
    message: 'no tag that matches answered within 150 ms',
  });
  const operations = [{ kind: 2, password: PASSWORD + 1 }, READ];
  const { results } = await access.access(request(1, { operations }), NEVER);
  t.ok(results?.every(({ status }) => status !== 0));
});

t.test('violations have their fields', async (t) => {
  const { access } = setUp(t);
  const tooLong = access.access(request(1, { timeoutMs: 60_001 }), NEVER);
  await t.rejects(tooLong, { code: 'INVALID', violations: [{ field: 'timeout_ms' }] });
  const nothing = access.access(received({}), NEVER);
  await t.rejects(nothing, {
    code: 'INVALID',
    violations: [{ field: 'tag.length' }, { field: 'tag.bank' }, { field: 'operations' }],
  });
});

t.test(
  'an inventory starts at once while a tag is looked for, which goes on beside it',
  async (t) => {
    const { inventory, access } = setUp(t);
    const ending = new AbortController();
    const vain = codeOf(access.access(request(99, { timeoutMs: 60_000 }), ending.signal));
    await nextTurn();
    await t.rejects(inventory.start({}, ''), { code: 'STATE' }, 'without between()');
    const from = performance.now();
    await access.between(() => inventory.start({ stop: { durationMs: 200 } }, ''));
    t.ok(performance.now() - from < 5000);
    await until(() => Number(inventory.counters().reads) > 0, 'tags are read');
    await until(() => inventory.status().endReason === 'duration', 'the inventory ends');
    // It goes on without it.
    const second = access.access(request(2), NEVER);
    ending.abort();
    t.equal(await vain, 'UNAVAILABLE');
    t.equal((await second).results?.length, 1, 'the next one has its turn');
  },
);

t.test('one has its turn, sixteen wait, and more are refused', async (t) => {
  const { access } = setUp(t);
  const endings = Array.from({ length: 17 }, () => new AbortController());
  const waiting = endings.map(({ signal }) =>
    codeOf(access.access(request(99, { timeoutMs: 60_000 }), signal)),
  );
  t.equal(await codeOf(access.access(request(1), NEVER)), 'TOO_MANY');
  for (const ending of endings) ending.abort();
  t.same(new Set(await Promise.all(waiting)), new Set(['UNAVAILABLE']));
  t.equal(await codeOf(access.access(request(1), NEVER)), 'OK');
});

t.test('the time of a call counts from its begin, also while it waits', async (t) => {
  const { access } = setUp(t);
  const ending = new AbortController();
  const first = codeOf(access.access(request(99, { timeoutMs: 60_000 }), ending.signal));
  t.equal(await codeOf(access.access(request(1, { timeoutMs: 100 }), NEVER)), 'NOT_FOUND');
  ending.abort();
  await first;
});

t.test('a module that is away is UNAVAILABLE', async (t) => {
  const radio = makeRadio(withMemory());
  t.teardown(() => radio.close());
  const away = { away: 'the line is gone', status: () => ({}) };
  const access = new TagAccess(new Inventory(radio, log, {}, away), log);
  t.equal(await codeOf(access.access(request(1), NEVER)), 'UNAVAILABLE');
});
