/** A tag that stands is NEW and nothing else, however its RSSI wavers. */
import t from 'tap';
import { engine, readsOf, run, START_MS, story } from './directionality-walk.js';

for (const [zone, x, y] of [
  ['ZONE3', 2, 5],
  ['ZONE2', 0, -4],
  ['ZONE1', 3, -14],
] as const) {
  t.test(`at ${x}, ${y} for two minutes`, async (t) => {
    for (const seed of [1, 2, 3]) {
      const reads = readsOf({ idHex: 'cc', seconds: 120, at: () => ({ x, y }), noiseDb: 4, seed });
      const events = run(engine(), reads, 20);
      t.same(story(events), [`NEW ${zone}`]);
      t.ok(Math.hypot(Number(events[0]?.data.x) - x, Number(events[0]?.data.y) - y) < 5);
    }
  });
}

t.test('on a border it chooses a side once', async (t) => {
  for (const seed of [1, 2, 3, 4, 5]) {
    const at = () => ({ x: 0, y: 0 });
    const reads = readsOf({ idHex: 'cc', seconds: 120, at, noiseDb: 4, seed });
    const told = story(run(engine(), reads));
    t.ok(told.length <= 2, told.join(', '));
    t.same(story(run(engine({ zoneExtension: 3 }), reads)).length, 1, 'zones that overlap');
    const without = story(run(engine({}, { hysteresis_feet: 0 }), reads));
    t.ok(without.length > 5, 'it would flap');
  }
});

t.test('its direction is NONE', async (t) => {
  const reads = readsOf({ idHex: 'cc', seconds: 60, at: () => ({ x: 2, y: 3 }), noiseDb: 4 });
  t.same(story(run(engine(), reads, 40)), ['NEW ZONE3', 'TIMED_OUT ZONE3 NONE']);
});

t.test('updates come while nothing else does, also when nobody wants NEW', async (t) => {
  const reads = readsOf({ idHex: 'cc', seconds: 21, at: () => ({ x: 2, y: 5 }) });
  for (const report_new of [true, false]) {
    const machine = engine({}, { report_new, report_update_duration_seconds: 5 });
    const events = run(machine, reads, 31);
    const updates = events.filter(({ data }) => data.event === 'UPDATE');
    t.same(
      updates.map(({ timeMs }) => (timeMs - START_MS) / 1000),
      [5.5, 10.5, 15.5, 20.5, 25.5, 30.5, 35.5, 40.5, 45.5, 50.5],
    );
    t.equal(events.at(-1)?.data.event, 'TIMED_OUT');
    t.match(updates[0]?.data, { idHex: 'cc', zone: 'ZONE3', direction: 'NONE' });
  }
});
