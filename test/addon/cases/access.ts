/** One-off access: without an inventory, beside one, and its ends. */
import assert from 'node:assert/strict';
import { epcOf, operation, PASSWORD, request, withMemory } from '../access-request.js';
import { drainSequences, makeRadio, plan, until } from '../field.js';

const radio = makeRadio(withMemory());
const tid = (i: number) => Buffer.from([0xe2, 0x80, 0x11, 0x60, 0, 0, 0, i]);

const idle = await radio.accessTag(request(3));
assert.equal(idle.outcome, 'done');
assert.deepEqual(Buffer.from(idle.epc), Buffer.from(epcOf(3)));
assert([1, 2].includes(idle.antenna) && idle.rssiCdbm < 0);
assert.deepEqual(
  idle.results.map(({ data }) => Buffer.from(data)),
  [tid(3)],
);

// One at a time; an inventory must wait, and stop() ends it.
const vain = radio.accessTag(request(99, { timeoutMs: 60_000 }));
assert.throws(() => radio.accessTag(request(1)), { code: 'ERR_ALREADY_STARTED' });
assert.throws(() => radio.start(plan(), () => {}), { code: 'ERR_ALREADY_STARTED' });
assert.throws(() => radio.tags(), { code: 'ERR_ALREADY_STARTED' });
const from = performance.now();
await radio.stop();
assert.equal((await vain).outcome, 'ended');
const cancelled = radio.accessTag(request(99, { timeoutMs: 60_000 }));
radio.cancelAccess();
assert.equal((await cancelled).outcome, 'ended');
assert(performance.now() - from < 5000);
assert.equal((await radio.accessTag(request(99, { timeoutMs: 100 }))).outcome, 'notFound');

// Beside an inventory.
radio.start(plan(), () => {
  drainSequences(radio);
  radio.arm();
});
radio.arm();
await until(() => radio.status().reads > 20, 'tags are read');
const beside = await radio.accessTag(request(4));
assert.deepEqual(
  beside.results.map(({ data }) => Buffer.from(data)),
  [tid(4)],
);
const { reads } = radio.status();
await until(() => radio.status().reads > reads, 'reading goes on');
assert.throws(() => radio.accessTag(request(1, { transmitPowerCdbm: 2000 })), {
  code: 'ERR_INVALID_ARGUMENT',
});
const stopped = radio.accessTag(request(99, { timeoutMs: 60_000 }));
await radio.stop();
assert.equal((await stopped).outcome, 'ended');

// Every fault has its field, and no password is shown.
const wrong = request(1, {
  antennas: [1, 9],
  operations: [
    operation({ wordCount: 256 }),
    operation({ kind: 2, wordCount: 0, password: PASSWORD * 2 ** 20 }),
  ],
  timeoutMs: 0,
});
assert.throws(
  () => radio.accessTag(wrong),
  (error: Error & { violations: { field: string }[] }) => {
    assert.deepEqual(error.violations.map(({ field }) => field).sort(), [
      'antennas[1]',
      'operations[0].word_count',
      'operations[1].kind',
      'operations[1].password',
      'timeout_ms',
    ]);
    assert(!error.message.includes(String(PASSWORD * 2 ** 20)));
    return true;
  },
);

// No packet has the password as it is: on the air its halves are covered.
radio.logPackets(10_000);
const password = { kind: 2, wordCount: 0, password: PASSWORD };
const opened = await radio.accessTag(
  request(2, { operations: [operation(password), operation()] }),
);
assert.deepEqual(
  opened.results.map(({ status }) => status),
  [0, 0],
);
const { packets } = radio.packets();
assert(packets.some(({ command }) => command === 'Read'));
assert(
  !JSON.stringify(packets, (_, value) => (typeof value === 'bigint' ? 0 : value)).includes(
    '11223344',
  ),
);

// The end of the radio is the end of it.
const last = radio.accessTag(request(99, { timeoutMs: 60_000 }));
radio.close();
assert.equal((await last).outcome, 'ended');
