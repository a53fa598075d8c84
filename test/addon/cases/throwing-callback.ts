/** An error thrown in onReadable reaches uncaughtException and does not end the radio. */
import assert from 'node:assert/strict';
import { drainSequences, makeRadio, plan, until } from '../field.js';

const errors: unknown[] = [];
process.on('uncaughtException', (error) => errors.push(error));
const radio = makeRadio();
radio.start(plan(), () => {
  throw new Error('in the callback');
});
// Reads that came before it was asked would be no news.
while (!radio.arm()) drainSequences(radio);
await until(() => errors.length > 0, 'the error is seen');
assert.match(String(errors[0]), /in the callback/);
const { reads } = radio.status();
await until(() => radio.status().reads > reads, 'the radio goes on');
await radio.stop();
await until(() => errors.length === 2, 'the end is announced, too');
