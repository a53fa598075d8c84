/** The scenarios that come with the product are plausible: every tag can be read on its way. */
import t from 'tap';
import { scenarioNames } from '../../src/radio-control/scenario/library.js';
import { loadScenario } from '../../src/radio-control/scenario/load-scenario.js';
import type {
  Point,
  VirtualAntenna,
  VirtualField,
  VirtualGroup,
} from '../../src/radio-control/scenario/virtual-field.js';

/** The cabinet is meant for less; with more the others have more to spare. */
const powerDbm = (name: string) => (name === 'smart-cabinet' ? 20 : 27);
const MOST_PATTERN_LOSS_DB = 20;

/** By how much less the antenna radiates to there than in its main direction. */
function patternLossDb({ direction, widthDeg, position }: VirtualAntenna, at: Point): number {
  if (direction === undefined || widthDeg === undefined) return 0;
  const to = at.map((c, i) => c - (position[i] as number));
  const along = to.reduce((sum, c, i) => sum + c * (direction[i] as number), 0);
  const cosine = along / Math.hypot(...to) / Math.hypot(...direction);
  if (cosine <= 0) return MOST_PATTERN_LOSS_DB;
  const half = Math.cos((widthDeg / 2) * (Math.PI / 180));
  return Math.min(MOST_PATTERN_LOSS_DB, (3 * Math.log10(cosine)) / Math.log10(half));
}

/** What a tag gets, without fading, at the carrier with the most path loss. */
function tagPowerDbm(field: VirtualField, antenna: VirtualAntenna, at: Point, dbm: number) {
  const metres = Math.hypot(...at.map((c, i) => c - (antenna.position[i] as number)));
  const hertz = Math.max(...field.channelsKhz) * 1000;
  const pathLoss = 20 * Math.log10((4 * Math.PI * metres * hertz) / 299_792_458);
  const { polarisationLossDb = 3, tagGainDbi = 2 } = field;
  const gain = antenna.gainDbi - patternLossDb(antenna, at) - (antenna.cableLossDb ?? 0);
  return dbm + gain + tagGainDbi - polarisationLossDb - pathLoss;
}

/** Places of the group on its way, each within 10 cm of the next if it is two points. */
function places({ waypoints }: VirtualGroup): Point[] {
  const at = (w: readonly number[]): Point => [w[1] as number, w[2] as number, w[3] as number];
  const [first, last] = [at(waypoints[0] as never), at(waypoints.at(-1) as never)];
  if (waypoints.length === 1) return [first];
  const metres = Math.hypot(...first.map((c, i) => c - (last[i] as number)));
  const steps = Math.ceil(metres / 0.1);
  return Array.from({ length: steps + 1 }, (_, step) =>
    first.map((c, i) => c + (((last[i] as number) - c) * step) / steps),
  ) as Point[];
}

/** Of the tag that has least: what it gets where it gets most, above what it needs. */
function leastMarginDb(field: VirtualField, dbm: number): number {
  let least = Number.POSITIVE_INFINITY;
  for (const group of field.groups) {
    const way = places(group);
    for (const { offset, sensitivityDbm } of group.tags) {
      let best = Number.NEGATIVE_INFINITY;
      for (const place of way) {
        const at = offset.map((c, i) => c + (place[i] as number)) as Point;
        for (const antenna of field.antennas) {
          best = Math.max(best, tagPowerDbm(field, antenna, at, dbm));
        }
      }
      least = Math.min(least, best - sensitivityDbm);
    }
  }
  return least;
}

for (const name of scenarioNames()) {
  t.test(`${name}: every tag has 6 dB to spare somewhere on its way`, async (t) => {
    const least = leastMarginDb(await loadScenario(name), powerDbm(name));
    t.ok(least > 6, `${least.toFixed(1)} dB`);
  });
}

t.test('the worst case: 10,000 tags, and no EPC and no TID twice', async (t) => {
  const { groups } = await loadScenario('worst-case-10k');
  const tags = groups.flatMap((group) => group.tags);
  const different = (all: (Uint8Array | undefined)[]) =>
    new Set(all.map((bytes) => Buffer.from(bytes ?? []).toString('hex'))).size;
  t.equal(tags.length, 10_000);
  t.equal(different(tags.map(({ epc }) => epc)), 10_000);
  t.equal(different(tags.map(({ tid }) => tid)), 10_000);
});
