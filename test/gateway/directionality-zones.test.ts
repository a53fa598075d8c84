/** The geometry: where beams hit, the zones of both plans, and what it takes to go back. */
import t from 'tap';
import { beamHit, confidence, locate } from '../../src/reader-gateway/directionality/locate.js';
import { effectiveDirectionality } from '../../src/reader-gateway/directionality/settings.js';
import { follow, type Stay, zonesOf } from '../../src/reader-gateway/directionality/zones.js';
import { engine, readsOf, run, story } from './directionality-walk.js';

const zones = (basicConfig: object) =>
  zonesOf(effectiveDirectionality({ basicConfig, advancedConfig: {} }).basicConfig);

/** The zones of a tag that is at these places one after the other. */
function through(plan: ReturnType<typeof zones>, places: [number, number][], hysteresis = 2) {
  let stay: Stay | undefined;
  return places.map(([x, y]) => {
    stay = follow(stay, { x, y }, plan, hysteresis);
    return Number(stay?.zone.name.slice(4));
  });
}

t.test('beams hit the plane of the tags', async (t) => {
  const near = (azimuth: number, elevation: number, orientation: number, at: [number, number]) => {
    const hit = beamHit(azimuth, elevation, { drop: 12, orientation });
    t.ok(hit && Math.hypot(hit.x - at[0], hit.y - at[1]) < 1e-9, `${azimuth} ${elevation}`);
  };
  near(77, 0, 0, [0, 0]);
  near(0, 45, 0, [0, 12]);
  near(90, 45, 0, [12, 0]);
  near(180, 45, 0, [0, -12]);
  near(0, 45, 90, [12, 0]);
  near(270, 45, 90, [0, 12]);
  t.equal(beamHit(0, 81, { drop: 12, orientation: 0 }), undefined);
  t.equal(beamHit(0, Number.NaN, { drop: 12, orientation: 0 }), undefined);
});

t.test('the location is the mean, weighted with the power', async (t) => {
  t.equal(locate([]), undefined);
  t.equal(locate([{ x: 1, y: 1, timeMs: 0, weight: 0 }]), undefined);
  const found = locate([
    { x: 0, y: 0, timeMs: 1000, weight: 3 },
    { x: 4, y: -8, timeMs: 2000, weight: 1 },
  ]);
  t.match(found, { x: 1, y: -2, timeMs: 1250 });
  const mounting = { drop: 12, orientation: 0 };
  t.ok(found && Math.abs(found.spread - Math.sqrt(15)) < 1e-9);
  t.equal(found && Math.round(confidence(found, mounting)), 68);
});

t.test('plan 4 lies along the way and is as wide as can be', async (t) => {
  const plan = zones({});
  for (const x of [-50, 0, 50]) {
    const places = [-11, -9, -1, 1, 9, 11].map((y): [number, number] => [x, y]);
    t.same(through(plan, places), [1, 2, 2, 3, 3, 4]);
  }
  t.same(through(zones({ innerZoneWidth: 5 }), [[0, -6]]), [1]);
});

t.test('plan 6 has sides along the near zones', async (t) => {
  const plan = zones({ zonePlan: 6, innerZoneWidth: 8 });
  const at = (x: number, y: number) => through(plan, [[x, y]])[0];
  t.same([at(0, -9), at(0, -4), at(0, 4), at(0, 9)], [1, 2, 3, 4]);
  t.same([at(-9, 0), at(9, 0), at(-20, 7), at(20, -7)], [5, 6, 5, 6]);
  t.same([at(-20, 9), at(20, -9)], [4, 1]);
});

t.test('a tag goes back only after it came in, or once it is far back', async (t) => {
  const plan = zones({});
  const along = (ys: number[], hysteresis?: number) =>
    through(
      plan,
      ys.map((y) => [0, y]),
      hysteresis,
    );
  t.same(along([-3, 1, -1, 1.9, -1.9]), [2, 3, 3, 3, 3], 'around the border');
  t.same(along([-3, 2, -0.1]), [2, 3, 2], 'came in');
  t.same(along([-3, 1, -1, -2]), [2, 3, 3, 2], 'far back');
  t.same(along([-3, 1, -1, -11]), [2, 3, 3, 1], 'another zone at once');
  t.same(along([-1, 1, -1, 1], 0), [2, 3, 2, 3], 'no hysteresis');
  const overlap = zones({ zoneExtension: 3 });
  const places = [-4, 2.9, 3.1, -2.9, -3.1].map((y): [number, number] => [0, y]);
  t.same(through(overlap, places, 0), [2, 2, 3, 3, 2], 'inner zones that overlap');
});

t.test('where three zones meet a tag does not go round', async (t) => {
  const plan = zones({ zonePlan: 6 });
  const round: [number, number][] = [
    [9.5, -0.5],
    [9.5, 0.4],
    [10.5, 0],
    [9.5, -0.4],
    [9.5, 0.4],
    [10.5, 0],
  ];
  t.same(through(plan, round), [2, 3, 6, 6, 6, 6]);
});

t.test('a tag that walks across, from the left side to the right', async (t) => {
  const reads = readsOf({ idHex: 'dd', seconds: 16, at: (s) => ({ x: -24 + 3 * s, y: 5 }) });
  const told = story(run(engine({ zonePlan: 6 }), reads, 40));
  t.same(told, [
    'NEW ZONE5',
    'TRANSITION ZONE5>ZONE3',
    'TRANSITION ZONE3>ZONE6',
    'TIMED_OUT ZONE6 NONE',
  ]);
});
