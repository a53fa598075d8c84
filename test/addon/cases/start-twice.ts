/** A second start() throws and leaves the first inventory alone. */
import assert from 'node:assert/strict';
import { makeRadio, plan, until } from '../field.js';

const radio = makeRadio();
radio.start(plan(), () => {});
assert.throws(() => radio.start(plan(), () => {}), { code: 'ERR_ALREADY_STARTED' });
const { reads } = radio.status();
await until(() => radio.status().reads > reads, 'the first goes on');
await radio.stop();
