/** A process that is killed after any of its events: the file says of each number that it is held, or perhaps used. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import t from 'tap';
import { NUMBERS_FILE, NumberLedger } from '../../src/reader-gateway/delivery/numbers/ledger.js';
import { readRecord } from '../../src/reader-gateway/delivery/numbers/record.js';
import type { Span } from '../../src/reader-gateway/delivery/retention/ring.js';
import { temporaryFolder } from '../gateway/reader.js';
import { silent } from './harness.js';

/** Several reservations: the first is of 1000 numbers. */
const EVENTS = 6000;

t.test('no number is unknown to the file at any moment', async (t) => {
  const folder = temporaryFolder(t);
  const ledger = NumberLedger.open(folder, silent);
  t.teardown(() => ledger.close());
  const numbers = ledger.numbers('data', 'line');
  const held: Span[] = [];
  numbers.hold(
    () => ({ events: held, losses: [] }),
    () => {},
  );
  const unknown: number[] = [];
  for (let i = 0; i < EVENTS; i++) {
    const num = numbers.take();
    const atMs = Date.now();
    held[0] ??= { count: 0, firstNum: num, lastNum: num, firstAtMs: atMs, lastAtMs: atMs };
    held[0].count += 1;
    held[0].lastNum = num;
    if (!isKnown(join(folder, NUMBERS_FILE), num)) unknown.push(num);
    // Reservations come back from the disk meanwhile.
    if (i % 50 === 0) await turn();
  }
  t.same(unknown, []);
});

/** The one endpoint that there is has the first record. */
function isKnown(path: string, num: number): boolean {
  const record = readRecord(readFileSync(path), 0);
  if (typeof record !== 'object') throw new Error(`the record is ${record}`);
  const mayBeUsed = record.next <= num && num < record.promised;
  const isHeld = [...record.events, ...record.losses].some(
    ({ firstNum, lastNum }) => firstNum <= num && num <= lastNum,
  );
  return mayBeUsed || isHeld;
}
