import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { findFaults } from '../../src/radio-control/scenario/check-schema.js';
import { SeededRandom } from '../../src/radio-control/scenario/random.js';
import { Region } from '../../src/radio-control/scenario/region-schema.js';
import {
  loadRegion,
  regionChannels,
  regionNames,
} from '../../src/radio-control/scenario/regions.js';
import { PACKAGE_ROOT } from '../../src/shared/package-info.js';

const plan = (name: string, busyShare = 0) =>
  regionChannels(loadRegion(name), new SeededRandom(1), busyShare);
const sorted = (channels: number[]) => [...channels].sort((a, b) => a - b);

t.test('every region file has the form of one, and channels inside its bands', async (t) => {
  for (const name of regionNames()) {
    const region = loadRegion(name);
    t.strictSame(findFaults(Region, region), [], name);
    const { channelsKhz } = plan(name);
    t.equal(new Set(channelsKhz).size, channelsKhz.length, `${name}: no channel twice`);
    const inside = channelsKhz.every((khz) =>
      region.bandsKhz.some(([low, high]) => khz > (low as number) && khz < (high as number)),
    );
    t.equal(inside || name === 'japan', true, `${name}: inside its band`);
  }
});

t.test('channels of the regions whose plan is published', async (t) => {
  t.strictSame(
    sorted(plan('fcc').channelsKhz),
    Array.from({ length: 50 }, (_, k) => 902_750 + 500 * k),
  );
  t.strictSame(plan('etsi-lower').channelsKhz, [865_700, 866_300, 866_900, 867_500]);
  t.strictSame(plan('etsi-upper').channelsKhz, [916_300, 917_500, 918_700]);
  t.strictSame(plan('japan').channelsKhz, [916_800, 918_000, 919_200, 920_400, 920_600, 920_800]);
  t.strictSame(
    sorted(plan('china').channelsKhz),
    Array.from({ length: 16 }, (_, k) => 920_625 + 250 * k),
  );
  t.equal(plan('korea').channelsKhz.at(-1), 920_300);
  t.strictSame(plan('india').channelsKhz, [865_700, 866_300, 866_900]);
});

t.test('rules reach the radio; a busy share only where the region listens', async (t) => {
  t.strictSame(plan('fcc', 0.2).channelRule, { dwellMs: 400, windowMs: 20_000, occupancyMs: 400 });
  t.strictSame(plan('etsi-lower').channelRule, { dwellMs: 4000, offMs: 100 });
  t.strictSame(plan('japan', 0.2).channelRule, {
    ...{ dwellMs: 4000, offMs: 50, listenMs: 5 },
    busyShare: 0.2,
  });
});

t.test('the order of hopping is a permutation that the seed chooses', async (t) => {
  const [one, other] = [1, 2].map(
    (seed) => regionChannels(loadRegion('fcc'), new SeededRandom(seed), 0).channelsKhz,
  ) as [number[], number[]];
  t.notSame(one, sorted(one));
  t.notSame(one, other);
  t.strictSame(sorted(one), sorted(other));
});

const mhz = (khz: number | undefined) => String((khz ?? 0) / 1000);

/** As the page says how a channel is used. */
function use({ rule, hopping }: Region): string {
  const { dwellMs, offMs = 0, windowMs = 0, occupancyMs = 0, listenMs = 0 } = rule;
  return [
    `on ${dwellMs / 1000} s at most`,
    offMs > 0 ? `then ${offMs} ms off` : '',
    windowMs > 0 ? `${occupancyMs / 1000} s in any ${windowMs / 1000} s` : '',
    listenMs > 0 ? `listens ${listenMs} ms` : '',
    hopping ? 'hops' : '',
  ]
    .filter((text) => text !== '')
    .join(', ');
}

t.test('the page lists every region with all its data', async (t) => {
  const page = readFileSync(join(PACKAGE_ROOT, 'docs/scenarios.md'), 'utf8');
  for (const name of regionNames()) {
    const region = loadRegion(name);
    const cells = [
      `\`${name}\``,
      region.bandsKhz.map(([low, high]) => `${mhz(low)}-${mhz(high)}`).join(' and '),
      plan(name).channelsKhz.length,
      region.maxEirpDbm ?? 'not known',
      use(region),
      region.confidence,
    ];
    t.ok(page.includes(`\n| ${cells.join(' | ')} |\n`), name);
  }
});
