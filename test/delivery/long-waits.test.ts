/** Waits that are longer than what a timer of the system takes: 2^31-1 ms. */
import { mock } from 'node:test';
import t from 'tap';
import { LONGEST_TIMER_MS, systemClock } from '../../src/shared/clock.js';

t.test('a wait of many weeks ends when it is over, not before', async (t) => {
  mock.timers.enable({ apis: ['setTimeout'] });
  t.teardown(() => mock.timers.reset());
  let ended = 0;
  systemClock.setTimeout(() => ended++, 2 * LONGEST_TIMER_MS + 1000);
  mock.timers.tick(LONGEST_TIMER_MS);
  mock.timers.tick(LONGEST_TIMER_MS);
  mock.timers.tick(999);
  t.equal(ended, 0);
  mock.timers.tick(1);
  t.equal(ended, 1);

  const cancelled = systemClock.setTimeout(() => ended++, LONGEST_TIMER_MS + 1000);
  mock.timers.tick(LONGEST_TIMER_MS);
  cancelled.cancel();
  mock.timers.tick(LONGEST_TIMER_MS);
  t.equal(ended, 1, 'also one that is under way may be cancelled');
});

t.test('the system does not warn of it, and nothing happens at once', async (t) => {
  const warnings: string[] = [];
  const onWarning = ({ name }: Error) => warnings.push(name);
  process.on('warning', onWarning);
  t.teardown(() => process.off('warning', onWarning));
  let ended = false;
  const timer = systemClock.setTimeout(() => {
    ended = true;
  }, 3_000_000_000);
  await new Promise((resolve) => setTimeout(resolve, 50));
  timer.cancel();
  t.notOk(ended);
  t.notOk(warnings.includes('TimeoutOverflowWarning'));
});
