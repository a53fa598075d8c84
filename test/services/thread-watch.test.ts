/** The watchdog of radio-control looks at the thread of the inventory too. */
import t from 'tap';
import { ThreadWatch } from '../../src/radio-control/thread-watch.js';
import { makeRadio, plan, until } from '../addon/field.js';

t.test('a thread is stuck when it runs and does not come round for 15 s', (t) => {
  let now = 1000;
  let pulse = { running: true, beats: 5 };
  const watch = new ThreadWatch(
    () => pulse,
    () => now,
  );
  const after = (ms: number, next = pulse) => {
    now += ms;
    pulse = next;
    return watch.stuck();
  };
  t.equal(after(0), '');
  t.equal(after(14_999), '');
  t.match(after(1), /radio thread/);
  t.equal(after(7000, { running: true, beats: 6 }), '', 'it moves again');
  t.match(after(15_000), /radio thread/);
  t.equal(after(1, { running: false, beats: 6 }), '', 'it has ended');
  t.equal(after(20_000), '', 'it need not move');
  t.equal(after(1, { running: true, beats: 6 }), '', 'a new one has its time');
  t.equal(after(14_000), '');
  t.end();
});

t.test('the thread of the native core beats while it reads and while it waits', async (t) => {
  const radio = makeRadio();
  t.teardown(() => radio.stop());
  const moves = async (what: string) => {
    const { beats } = radio.status();
    await until(() => radio.status().beats > beats + 2, what);
  };
  t.equal(radio.status().beats, 0);
  radio.start(plan(), () => {});
  await moves('it reads');
  await radio.stop();
  const tomorrow = BigInt(Date.now() + 86_400_000) * 1_000_000n;
  const start = { inputs: [], restart: false, atNs: tomorrow, everyMs: 0 };
  radio.start(plan({ start }), () => {});
  await until(() => radio.status().waiting, 'it waits');
  await moves('it waits for its time');
});
