/** The boot loader of the emulated device. */
import fc from 'fast-check';
import t from 'tap';
import {
  type BootEnv,
  boot,
  FACTORY_ENV,
  otherSlot,
  SLOTS,
  withSlot,
} from '../../src/platform/emulated/update/boot-env.js';

t.test('a slot on trial boots as often as it may, then the other does', (t) => {
  let env: BootEnv = { ...withSlot(FACTORY_ENV, 'B', 'trial', 2), primary: 'B' };
  const booted: string[] = [];
  for (let count = 0; count < 4; count++) {
    env = boot(env, () => true);
    booted.push(env.booted);
  }
  t.same(booted, ['B', 'B', 'A', 'A']);
  t.same(env, withSlot(FACTORY_ENV, 'B', 'failed'));
  t.end();
});

t.test('a slot that does not come up spends its boots at once', (t) => {
  const env: BootEnv = { ...withSlot(FACTORY_ENV, 'B', 'trial', 3), primary: 'B' };
  t.same(
    boot(env, (slot) => slot === 'A'),
    withSlot(FACTORY_ENV, 'B', 'failed'),
  );
  t.end();
});

t.test('without any slot that boots it says so', (t) => {
  t.throws(() => boot(FACTORY_ENV, () => false), /no slot .* boots/);
  t.end();
});

t.test('with one good slot that comes up there is always one that boots', (t) => {
  const slot = fc.record({
    state: fc.constantFrom('good', 'trial', 'failed', 'bad', 'empty'),
    bootsLeft: fc.nat(5),
  });
  const environments = fc.record({
    booted: fc.constantFrom(...SLOTS),
    primary: fc.constantFrom(...SLOTS),
    slots: fc.record({ A: slot, B: slot }),
    whole: fc.constantFrom(...SLOTS),
  });
  fc.assert(
    fc.property(environments, fc.boolean(), ({ whole, ...some }, otherComesUp) => {
      const env = withSlot(some as BootEnv, whole, 'good');
      const after = boot(env, (name) => name === whole || otherComesUp);
      const { state } = after.slots[after.booted];
      return (
        after.primary === after.booted &&
        (state === 'good' || state === 'trial') &&
        (after.booted === whole || otherComesUp) &&
        after.slots[whole].state === 'good' &&
        (after.booted === whole || after.booted === otherSlot(whole))
      );
    }),
  );
  t.end();
});
