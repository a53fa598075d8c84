/** Tags that walk under the reader: their zones in order, their direction, their end. */
import t from 'tap';
import type { Direction } from '../../src/reader-gateway/api/directionality.js';
import { directionOf } from '../../src/reader-gateway/directionality/direction.js';
import { effectiveDirectionality } from '../../src/reader-gateway/directionality/settings.js';
import { engine, readsOf, run, START_MS, story } from './directionality-walk.js';

const IN = [
  'NEW ZONE1',
  'TRANSITION ZONE1>ZONE2',
  'TRANSITION ZONE2>ZONE3',
  'TRANSITION ZONE3>ZONE4',
  'TIMED_OUT ZONE4 IN',
];
const OUT = [
  'NEW ZONE4',
  'TRANSITION ZONE4>ZONE3',
  'TRANSITION ZONE3>ZONE2',
  'TRANSITION ZONE2>ZONE1',
  'TIMED_OUT ZONE1 OUT',
];

for (const speed of [2, 3, 6, 12]) {
  const seconds = 60 / speed;
  t.test(`in and out at ${speed} feet per second`, async (t) => {
    const walks = [1, -1].map((sign) =>
      readsOf({
        idHex: sign > 0 ? 'aa01' : 'bb02',
        seconds,
        at: (s) => ({ x: 1, y: sign * (-30 + speed * s) }),
        noiseDb: 1.5,
        everyMs: 5,
      }),
    );
    const events = run(engine(), walks.flat(), 40);
    const of = (idHex: string) => events.filter(({ data }) => data.idHex === idHex);
    t.same(story(of('aa01')), IN);
    t.same(story(of('bb02')), OUT);
    t.same(
      events.map(({ timeMs }) => timeMs),
      events.map(({ timeMs }) => timeMs).sort((a, b) => a - b),
      'in the order of time',
    );
  });
}

t.test('a turned reader gives the same story', async (t) => {
  const reads = readsOf({
    idHex: 'aa01',
    seconds: 20,
    at: (s) => ({ x: 0, y: -30 + 3 * s }),
    orientation: 120,
  });
  t.same(story(run(engine({ orientation: 120 }), reads, 40)), IN);
  t.not(story(run(engine(), reads, 40)).at(-1), IN.at(-1));
});

t.test('a tag that goes is reported at the timeout, with what was asked for', async (t) => {
  const reads = readsOf({ idHex: 'aa01', seconds: 20, at: (s) => ({ x: 0, y: -30 + 3 * s }) });
  const last = reads.at(-1)?.timeMs ?? 0;
  const asked = {
    report_location_history: true,
    report_zone_history: true,
    user_defined: { door: 7 },
  };
  const machine = engine({ zoneNames: ['street', 'apron', 'hall', 'store'] }, asked);
  const before = run(machine, reads, 29.9);
  t.notOk(before.some(({ data }) => data.event === 'TIMED_OUT'));
  t.equal(machine.tagCount, 1);
  const [end] = machine.advance(last + 31_000);
  t.equal(machine.tagCount, 0);
  t.match(end, {
    type: 'DIRECTIONALITY',
    data: { event: 'TIMED_OUT', zone: 'store', reads: reads.length, userDefined: { door: 7 } },
  });
  t.ok(end && end.timeMs >= last + 30_000 && end.timeMs <= last + 30_500);
  const zones = end?.data.zoneHistory as { zone: string }[];
  t.same(
    zones.map(({ zone }) => zone),
    ['street', 'apron', 'hall', 'store'],
  );
  const places = end?.data.locationHistory as { y: number; timestamp: string }[];
  t.ok(places.length > 20 && places.every((place, i) => i === 0 || place.timestamp));
  t.ok((places.at(-1)?.y ?? 0) > (places[0]?.y ?? 0) + 20);
  t.ok(before.every(({ data }) => (data.userDefined as { door: number }).door === 7));
  t.notOk(
    before.some(({ data }) => 'zoneHistory' in data),
    'only at the end',
  );
});

t.test('report_direction chooses among TIMED_OUT events, the switches among all', async (t) => {
  const reads = readsOf({ idHex: 'aa01', seconds: 20, at: (s) => ({ x: 0, y: -30 + 3 * s }) });
  t.same(story(run(engine({}, { report_direction: ['OUT'] }), reads, 40)), IN.slice(0, -1));
  t.same(story(run(engine({}, { report_direction: ['IN'] }), reads, 40)), IN);
  const off = { report_new: false, report_transition: false };
  t.same(story(run(engine({}, off), reads, 40)), IN.slice(-1));
  t.same(story(run(engine({}, { ...off, report_timed_out: false }), reads, 40)), []);
});

t.test('tags without a place end with ERROR, with too few reads with UNKNOWN', async (t) => {
  const read = { idHex: 'aa', timeMs: START_MS, antenna: 1, azimuth: 0, rssiCdbm: -5000 };
  const flat = run(engine(), [{ ...read, elevation: 90 }], 60);
  t.match(flat, [{ data: { event: 'TIMED_OUT', direction: 'ERROR', reads: 1 } }]);
  t.notOk('zone' in (flat[0]?.data ?? {}) || 'x' in (flat[0]?.data ?? {}));
  t.same(story(run(engine(), [{ ...read, elevation: 0 }], 60)), [
    'NEW ZONE2',
    'TIMED_OUT ZONE2 UNKNOWN',
  ]);
  // Two places far apart at once: no confidence in any.
  const apart = [45, 45].map((elevation, i) => ({ ...read, elevation, azimuth: 180 * i }));
  t.match(run(engine(), apart, 60), [{ data: { direction: 'ERROR' } }]);
  t.equal(run(engine({}, { raw_location_conf_threshold: 0 }), apart, 60).length, 2);
});

t.test('the rules of the regression', async (t) => {
  const line = (slope: number, from: number, seconds: number, n = 6) =>
    Array.from({ length: n }, (_, i) => ({
      timeMs: START_MS - seconds * 1000 * (1 - i / (n - 1)),
      y: from + (slope * seconds * i) / (n - 1),
    }));
  type Points = ReturnType<typeof line>;
  type End = 'IN' | 'OUT';
  const of = (points: Points, rules: object = {}, end?: End, crossed?: End): Direction => {
    const settings = effectiveDirectionality({ basicConfig: {}, advancedConfig: rules });
    const way = { points, lastReadMs: START_MS, end, crossed };
    return directionOf(way, settings.advancedConfig);
  };
  t.equal(of(line(2, -5, 5)), 'IN');
  t.equal(of(line(-2, 5, 5)), 'OUT');
  t.equal(of([]), 'UNKNOWN');
  t.equal(of(line(2, 0, 5, 2)), 'UNKNOWN', 'too few');
  t.equal(of(line(2, 0, 5), { regression_min_n: 7 }), 'UNKNOWN');
  t.equal(of(line(9, 0, 0.7)), 'UNKNOWN', 'too short');
  t.equal(of(line(9, 0, 0.7), { regression_min_duration_seconds: 0.5 }), 'IN');
  t.equal(of(line(2, -5, 5), { regression_slope_threshold: 2.5 }), 'NONE', 'too slow');
  t.equal(of(line(0.3, 0, 5)), 'NONE', 'moved less than the hysteresis');
  t.equal(of(line(0.3, 0, 5), { hysteresis_feet: 1 }), 'IN');
  t.equal(of(line(2, 9, 5)), 'IN', 'crossed 4.5 s before the lookback');
  t.equal(of(line(2, 11, 5)), 'NONE', 'crossed 5.5 s before the lookback');
  t.equal(of(line(2, 11, 5), { regression_extrapolation_multiplier: 2 }), 'IN');
  t.equal(of(line(2, -21, 5)), 'NONE', 'will cross in 5.5 s');
  t.equal(of(line(2, -19, 5)), 'IN', 'will cross in 4.5 s');
  t.equal(of(line(2, 50, 5), {}, 'IN', 'IN'), 'IN', 'was seen to cross');
  t.equal(of(line(-2, 50, 5), {}, 'IN', 'IN'), 'NONE', 'was seen to cross the other way');
  const confirm = { confirm_direction_with_final_zone: true };
  t.equal(of(line(2, -19, 5), confirm, 'OUT'), 'UNKNOWN');
  t.equal(of(line(2, -5, 5), confirm, 'IN'), 'IN');
  t.equal(of(line(2, -5, 5), confirm), 'IN', 'a side zone says nothing');
  t.equal(of([...line(-5, 300, 60), ...line(2, -5, 4)]), 'IN', 'only the lookback counts');
  t.equal(of(line(0, 3, 5)), 'NONE');
});
