import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { TestReader, until } from './reader.js';

/** While it reads the gateway asks every two seconds: not sooner, whatever the machine does. */
const SOONER_MS = 1500;

t.test('an end that the radio tells of is known before the gateway asks by itself', async (t) => {
  const reader = await TestReader.start(t);
  t.teardown(() => reader.gateway.stop());
  const { radio } = reader;
  await until('the gateway follows the events', () => radio.followers === 1);

  // A machine that stands still for a second says nothing: it is tried again.
  let fast = false;
  for (let i = 0; i < 5 && !fast; i++) {
    await reader.call('PUT', 'start', {});
    const before = radio.asked;
    await until('it asks by itself', () => radio.asked > before);
    // What its own start told of has been looked at as well.
    await sleep(100);
    const asked = radio.asked;
    const at = performance.now();
    radio.end('duration');
    radio.tellEnd('duration');
    await until('it looks', () => radio.asked > asked);
    fast = performance.now() - at < SOONER_MS;
    await until('and has seen the end', async () => {
      const { json } = await reader.call('GET', 'status');
      return json.radioActivitiy === 'inactive';
    });
  }
  t.ok(fast);
});
