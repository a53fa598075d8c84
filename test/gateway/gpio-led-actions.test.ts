/** What the actions of GPIO-LED do to outputs and LEDs, on a clock that stands still. */
import t from 'tap';
import { SingulateError } from '../../src/shared/errors.js';
import { settle } from '../delivery/virtual-clock.js';
import { bench } from './gpio-led.js';

const blink = (ON: number, OFF: number, DURATION: number) => ({ ON, OFF, DURATION });

t.test('an action without blink sets its output and leaves it so', async (t) => {
  const { configure, control, gpo, led, clock } = bench(t);
  await configure({
    RADIO_START: [
      { type: 'GPO', pin: 2, state: 'HIGH', postActionState: 'LOW' },
      { type: 'LED', led: 1, color: 'AMBER' },
    ],
  });
  control.fire('RADIO_START');
  await clock.advance(60_000);
  t.same(gpo(2), ['0 HIGH']);
  t.same(led(1), ['0 AMBER']);
});

t.test(
  'a blink goes on and off to the millisecond, then comes the post-action value',
  async (t) => {
    const { configure, control, gpo, led, clock } = bench(t);
    await configure({
      TAG_READ: [
        {
          type: 'LED',
          led: 2,
          color: 'GREEN',
          postActionColor: 'AMBER',
          blink: blink(100, 50, 600),
        },
        { type: 'GPO', pin: 1, state: 'HIGH', postActionState: 'HIGH', blink: blink(30, 20, 75) },
      ],
    });
    control.fire('TAG_READ');
    await clock.advance(10_000);
    t.same(led(2), [
      '0 GREEN',
      '100 OFF',
      '150 GREEN',
      '250 OFF',
      '300 GREEN',
      '400 OFF',
      '450 GREEN',
      '550 OFF',
      '600 AMBER',
    ]);
    t.same(gpo(1), ['600 HIGH', '630 LOW', '650 HIGH'], 'the next action waits for the end');
  },
);

t.test('a blink without a post-action value ends in the default, or off', async (t) => {
  const { configure, control, gpo, led, clock } = bench(t);
  await configure({
    GPODefaults: { 1: 'HIGH' },
    LEDDefaults: { 3: 'RED' },
    RADIO_STOP: [
      { type: 'GPO', pin: 1, state: 'LOW', blink: blink(10, 0, 40) },
      { type: 'GPO', pin: 2, state: 'HIGH', blink: blink(10, 0, 40) },
      { type: 'LED', led: 3, color: 'GREEN', blink: blink(10, 10, 15) },
      { type: 'LED', led: 1, color: 'GREEN', blink: blink(10, 10, 10) },
    ],
  });
  control.fire('RADIO_STOP');
  await clock.advance(1000);
  t.same(gpo(1), ['0 LOW', '40 HIGH']);
  t.same(gpo(2), ['40 HIGH', '80 LOW']);
  t.same(led(3), ['80 GREEN', '90 OFF', '95 RED']);
  t.same(led(1), ['95 GREEN', '105 OFF']);
});

t.test('a blink of duration 0 goes on beside the list, until something else sets it', async (t) => {
  const { configure, control, gpo, led, clock } = bench(t);
  await configure({
    CLOUD_DISCONNECT: [
      { type: 'LED', led: 1, color: 'RED', postActionColor: 'AMBER', blink: blink(100, 100, 0) },
      { type: 'GPO', pin: 3, state: 'HIGH' },
    ],
    CLOUD_CONNECT: [{ type: 'LED', led: 1, color: 'GREEN' }],
  });
  control.fire('CLOUD_DISCONNECT');
  await clock.advance(250);
  t.same(gpo(3), ['0 HIGH']);
  control.fire('CLOUD_DISCONNECT');
  await clock.advance(100);
  t.same(led(1), ['0 RED', '100 OFF', '200 RED', '300 OFF'], 'once more changes nothing');
  control.fire('CLOUD_CONNECT');
  await clock.advance(1000);
  t.same(led(1).slice(4), ['350 GREEN']);
});

t.test(
  'different triggers run beside each other; the last has the output they share',
  async (t) => {
    const { configure, control, gpo, led, clock } = bench(t);
    await configure({
      RADIO_START: [
        { type: 'LED', led: 1, color: 'RED', postActionColor: 'RED', blink: blink(100, 100, 400) },
        { type: 'GPO', pin: 1, state: 'HIGH' },
      ],
      TAG_READ: [{ type: 'LED', led: 1, color: 'GREEN' }],
    });
    control.fire('RADIO_START');
    await clock.advance(150);
    control.fire('TAG_READ');
    await clock.advance(1000);
    t.same(led(1), ['0 RED', '100 OFF', '150 GREEN'], 'and no post-action value of the other');
    t.same(gpo(1), ['400 HIGH'], 'whose list keeps its times');
  },
);

t.test('events while the list runs are one more run, however many there are', async (t) => {
  const { configure, control, led, clock } = bench(t);
  await configure({
    TAG_READ: [{ type: 'LED', led: 2, color: 'GREEN', blink: blink(50, 50, 100) }],
  });
  for (let read = 0; read < 1000; read++) control.fire('TAG_READ');
  await clock.advance(5000);
  t.same(led(2), ['0 GREEN', '50 OFF', '100 GREEN', '150 OFF']);
  t.same(control.triggers.get('TAG_READ'), { runs: 2, merged: 998 });
});

t.test('an action whose conditions do not hold is skipped, and the list goes on', async (t) => {
  const { configure, control, lines } = bench(t);
  const pins = async () => {
    lines.writes.length = 0;
    for (const port of [1, 2, 3, 4]) lines.gpos.set(port, 'LOW');
    control.fire('TAG_READ');
    await settle();
    return lines.writes.map(({ port }) => port);
  };
  await configure({
    TAG_READ: [
      { type: 'GPO', pin: 1, state: 'HIGH', conditions: ['IS_CLOUD_CONNECTED'] },
      {
        type: 'GPO',
        pin: 2,
        state: 'HIGH',
        conditions: ['~IS_CLOUD_CONNECTED', 'IS_RADIO_ONGOING'],
      },
      {
        type: 'GPO',
        pin: 3,
        state: 'HIGH',
        conditions: { operator: 'or', operands: ['IS_RADIO_ONGOING', 'IS_CLOUD_CONNECTED'] },
      },
      {
        type: 'GPO',
        pin: 4,
        state: 'HIGH',
        conditions: { operator: 'and', operands: ['~IS_RADIO_ONGOING', '~IS_CLOUD_CONNECTED'] },
      },
    ],
  });
  t.same(await pins(), [4]);
  control.radio(true);
  t.same(await pins(), [2, 3]);
  control.cloud(true);
  t.same(await pins(), [1, 3]);
  control.radio(false);
  t.same(await pins(), [1, 3]);
});

t.test('only a change of the cloud or of the radio is an event', async (t) => {
  const { configure, control } = bench(t);
  const list = [{ type: 'GPO' as const, pin: 1, state: 'HIGH' as const }];
  await configure({
    CLOUD_CONNECT: list,
    CLOUD_DISCONNECT: list,
    RADIO_START: list,
    RADIO_STOP: list,
  });
  const runs = () => [...control.triggers].map(([trigger, counters]) => [trigger, counters.runs]);
  control.cloud(false);
  control.radio(false);
  t.same(
    runs().map(([, count]) => count),
    [0, 0, 0, 0],
  );
  for (const now of [true, true, false, false, true]) control.cloud(now);
  for (const now of [true, false, false, true]) control.radio(now);
  await settle();
  t.same(Object.fromEntries(runs()), {
    CLOUD_CONNECT: 2,
    CLOUD_DISCONNECT: 1,
    RADIO_START: 2,
    RADIO_STOP: 1,
  });
});

t.test('an output that fails is counted, and the list goes on', async (t) => {
  const { configure, control, lines, leds, led } = bench(t);
  await configure({
    RADIO_START: [
      { type: 'GPO', pin: 4, state: 'HIGH' },
      { type: 'LED', led: 1, color: 'RED' },
      { type: 'LED', led: 2, color: 'GREEN' },
    ],
  });
  lines.fails = new SingulateError('INVALID', 'there is no output 4');
  if (leds[0]) leds[0].fails = new Error('broken');
  control.fire('RADIO_START');
  await settle();
  t.same(led(2), ['0 GREEN']);
  const failures = Object.fromEntries(control.outputs.map((one) => [one.name, one.failures]));
  t.match(failures, { 'GPO 4': 1, 'LED 1': 1, 'LED 2': 0, 'GPO 1': 0 });
});

t.test('an output that does not answer holds up its list for a time only', async (t) => {
  const { configure, control, lines, led, clock } = bench(t);
  await configure({
    RADIO_START: [
      { type: 'GPO', pin: 4, state: 'HIGH' },
      { type: 'LED', led: 2, color: 'GREEN' },
    ],
  });
  lines.hangs = true;
  control.fire('RADIO_START');
  await clock.advance(1999);
  t.same(led(2), []);
  await clock.advance(1);
  t.same(led(2), ['2000 GREEN']);
});

t.test('a value that could not be set because the radio was away is set later', async (t) => {
  const { configure, control, lines, clock } = bench(t);
  await configure({ RADIO_START: [{ type: 'GPO', pin: 1, state: 'HIGH' }] });
  lines.fails = new SingulateError('UNAVAILABLE', 'the radio is not connected');
  control.fire('RADIO_START');
  await clock.advance(200);
  t.equal(lines.gpos.get(1), 'LOW');
  lines.fails = undefined;
  await clock.advance(60_000);
  t.equal(lines.gpos.get(1), 'HIGH');

  lines.fails = new SingulateError('UNAVAILABLE', 'the radio is not connected');
  control.configure({ GPODefaults: { 1: 'LOW' } });
  await settle();
  t.equal(lines.gpos.get(1), 'HIGH');
  lines.fails = undefined;
  lines.tell({ kind: 'gpo', port: 2, level: 'LOW' });
  await settle();
  t.equal(lines.gpos.get(1), 'LOW', 'at once when the radio tells of its outputs');
});

t.test('what is so already is not written again', async (t) => {
  const { configure, control, lines, gpo, clock } = bench(t);
  await configure({ TAG_READ: [{ type: 'GPO', pin: 1, state: 'HIGH' }] });
  for (let read = 0; read < 500; read++) {
    control.fire('TAG_READ');
    await Promise.resolve();
  }
  await clock.advance(100);
  t.same(gpo(1), ['0 HIGH']);
  await lines.setGpo(1, 'LOW');
  control.fire('TAG_READ');
  await settle();
  t.equal(lines.gpos.get(1), 'HIGH', 'unless something else has changed it');
});
