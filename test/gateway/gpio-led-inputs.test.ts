/** Inputs as triggers, the application LED, and changes of the configuration at run time. */
import t from 'tap';
import { settle } from '../delivery/virtual-clock.js';
import { bench } from './gpio-led.js';

t.test('an input fires once its level has held for its debounce time', async (t) => {
  const { configure, control, lines, clock } = bench(t);
  const runs = () =>
    Object.fromEntries([...control.triggers].map(([trigger, { runs }]) => [trigger, runs]));
  const list = [{ type: 'LED' as const, led: 1, color: 'RED' as const }];
  await configure({
    GPIDebounce: { 1: 20, 3: 0 },
    GPI_1_H: list,
    GPI_1_L: list,
    GPI_2_H: list,
    GPI_3_H: list,
  });

  for (const level of ['HIGH', 'LOW', 'HIGH', 'LOW', 'HIGH'] as const) {
    lines.input(1, level);
    await clock.advance(19);
  }
  t.match(runs(), { GPI_1_H: 0, GPI_1_L: 0 }, 'bouncing is no event');
  await clock.advance(1);
  t.match(runs(), { GPI_1_H: 1, GPI_1_L: 0 });
  lines.input(1, 'LOW');
  await clock.advance(10);
  lines.input(1, 'HIGH');
  await clock.advance(1000);
  t.match(runs(), { GPI_1_H: 1, GPI_1_L: 0 }, 'nor is a level that goes back');
  lines.input(1, 'LOW');
  await clock.advance(20);
  t.match(runs(), { GPI_1_H: 1, GPI_1_L: 1 });

  lines.input(2, 'HIGH');
  await clock.advance(49);
  t.match(runs(), { GPI_2_H: 0 });
  await clock.advance(1);
  t.match(runs(), { GPI_2_H: 1 }, '50 ms where nothing was set');

  lines.input(3, 'HIGH');
  t.match(runs(), { GPI_3_H: 1 }, '0 is at once');
});

t.test('defaults hold from the start and again with each change, what ran has ended', async (t) => {
  const { configure, control, lines, leds, gpo, led, clock } = bench(t);
  control.configure({ GPODefaults: { 1: 'HIGH', 2: 'LOW' }, LEDDefaults: { 1: 'GREEN' } });
  await settle();
  t.same([...lines.gpos.values()], ['HIGH', 'LOW', 'LOW', 'LOW']);
  t.same(
    leds.map(({ shown }) => shown),
    ['GREEN', 'OFF', 'OFF'],
  );

  const blink = { ON: 100, OFF: 100, DURATION: 1000 };
  await configure({
    GPODefaults: { 1: 'HIGH' },
    RADIO_START: [
      { type: 'GPO', pin: 3, state: 'HIGH', blink, postActionState: 'HIGH' },
      { type: 'LED', led: 2, color: 'RED' },
    ],
    RADIO_STOP: [{ type: 'LED', led: 1, color: 'RED', blink: { ...blink, DURATION: 0 } }],
  });
  control.fire('RADIO_START');
  control.fire('RADIO_STOP');
  await clock.advance(250);
  await lines.setGpo(1, 'LOW');
  await lines.setGpo(4, 'HIGH');
  control.configure({ GPODefaults: { 1: 'HIGH' }, LEDDefaults: { 1: 'AMBER' } });
  await clock.advance(5000);
  t.same(gpo(3), ['0 HIGH', '100 LOW', '200 HIGH', '250 LOW'], 'a blink ends off');
  t.same(gpo(1), ['250 LOW', '250 HIGH'], 'a default is set again');
  t.same(gpo(4), ['250 HIGH'], 'an output without a default stays as it is');
  t.same(led(1), ['0 RED', '100 OFF', '200 RED', '250 AMBER']);
  t.same(led(2), [], 'the rest of the list is not performed');
  t.equal(control.triggers.get('RADIO_START')?.runs, 1, 'the counters stay');
});

t.test('nothing goes on after a change of the configuration, nor after the end', async (t) => {
  const { configure, control, clock } = bench(t);
  const long = { ON: 100, OFF: 100, DURATION: 1_000_000 };
  const config = {
    RADIO_START: [{ type: 'LED' as const, led: 1, color: 'RED' as const, blink: long }],
    TAG_READ: [{ type: 'LED' as const, led: 1, color: 'GREEN' as const }],
    RADIO_STOP: [
      { type: 'GPO' as const, pin: 1, state: 'HIGH' as const, blink: { ...long, DURATION: 0 } },
      { type: 'GPO' as const, pin: 2, state: 'HIGH' as const, blink: long },
    ],
  };
  for (const end of [() => control.configure({}), () => control.close()]) {
    await configure(config);
    for (const trigger of ['RADIO_START', 'TAG_READ', 'RADIO_STOP'] as const) control.fire(trigger);
    await clock.advance(150);
    t.equal(clock.timers, 3, 'the blink that lost its LED, and the two of the outputs');
    end();
    await settle();
    t.equal(clock.timers, 0);
  }
});

t.test('the application LED', async (t) => {
  const { configure, control, led, leds, clock } = bench(t);
  const { appLed } = control;

  t.test('shows what an application set for its time, then its default again', async (t) => {
    await configure({
      LEDDefaults: { 3: 'GREEN' },
      TAG_READ: [{ type: 'LED', led: 3, color: 'AMBER' }],
    });
    t.equal(appLed.state, 'DEFAULT');
    t.equal(
      await appLed.override({ color: 'red', seconds: 2 }),
      'The application LED is red for 2 s',
    );
    t.equal(appLed.state, 'NON_DEFAULT');
    await clock.advance(1999);
    t.same(led(3), ['0 RED']);
    await clock.advance(1);
    t.same(led(3), ['0 RED', '2000 GREEN']);
    t.equal(appLed.state, 'DEFAULT');
  });

  t.test('flashes, and takes another setting in between', async (t) => {
    await configure({});
    await appLed.override({ color: 'amber', seconds: 60, flash: true });
    await clock.advance(1200);
    await appLed.override({ color: 'green', seconds: 1 });
    await clock.advance(5000);
    t.same(led(3), ['0 AMBER', '500 OFF', '1000 AMBER', '1200 GREEN', '2200 OFF']);
  });

  t.test('hides what the actions do to that LED, until its time is over', async (t) => {
    await configure({ TAG_READ: [{ type: 'LED', led: 3, color: 'AMBER' }] });
    await appLed.override({ color: 'off', seconds: 3 });
    control.fire('TAG_READ');
    await clock.advance(2999);
    t.same(led(3), []);
    await clock.advance(1);
    t.same(led(3), ['3000 AMBER']);
  });

  t.test('is off at once and to stay with 0 seconds, for which only off is allowed', async (t) => {
    await configure({ LEDDefaults: { 3: 'GREEN' } });
    await t.rejects(appLed.override({ color: 'red', seconds: 0 }), {
      code: 'INVALID',
      message: 'color: "red" with seconds 0: only off is allowed',
    });
    t.same(led(3), []);
    await appLed.override({ color: 'off', seconds: 0 });
    await clock.advance(10_000);
    t.same(led(3), ['0 OFF']);
    t.equal(appLed.state, 'DEFAULT');
  });

  t.test('that fails is an error of the request', async (t) => {
    await configure({});
    const third = leds[2];
    if (third === undefined) throw new Error('there are three');
    third.fails = new Error('LED 3: the file is gone');
    await t.rejects(appLed.override({ color: 'red', seconds: 5 }), {
      code: 'UNAVAILABLE',
      message: 'LED 3: the file is gone',
    });
    t.equal(appLed.state, 'DEFAULT');
    third.fails = undefined;
  });
});
