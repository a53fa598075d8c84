/** AUTO_DETECT against every profile that it could have taken, in fields with more and less noise. */
import t from 'tap';
import { runMode, tagsOf } from './on-air.js';

const MODE = {
  type: 'CUSTOM',
  antennas: [1],
  query: { session: 'S0' },
  antennaStopCondition: { type: 'SINGLE_INVENTORY_LIMITED_DURATION', value: 1000 },
  delayBetweenAntennaCycles: { type: 'DISABLED', duration: 0 },
  reportFilter: { duration: 0, type: 'RADIO_WIDE' },
};
const NUMBERS = {
  'FM0-640': 2,
  'M2-640': 10,
  'M4-640': 15,
  'M4-320': 16,
  'M4-250': 1,
  'M8-160': 23,
};

/** Tags at 1 m, and noise at the receiver. */
function field(levels: { levelDb: number; fromSeconds?: number; untilSeconds?: number }[]) {
  return { tags: tagsOf(40), field: { channelRule: { dwellMs: 60_000 }, interference: levels } };
}

/** Of an automatic choice in 20 s and of each fixed profile in 2 s; and what was taken at last. */
async function compare(levelDb: number) {
  const noise = field([{ levelDb }]);
  const run = async (mode: object, durationMs: number) => {
    const { status } = await runMode({ ...MODE, ...mode }, { ...noise, durationMs });
    return { rate: (status.reads / durationMs) * 1000, status };
  };
  let best = { name: '', rate: 0 };
  for (const [name, linkProfile] of Object.entries(NUMBERS)) {
    const { rate } = await run({ linkProfile }, 2000);
    if (rate > best.rate) best = { name, rate };
  }
  const { rate, status } = await run({ environment: 'AUTO_DETECT' }, 20_000);
  return { taken: status.linkProfile, best, ratio: rate / best.rate, status };
}

for (const [field, levelDb, expected] of [
  ['a quiet field', 0, /^FM0-640$/],
  ['a field with some noise', 51, /^M[24]-640$/],
  ['a noisy field', 57, /^M4-(320|250)$/],
  ['a very noisy field', 62, /^M8-160$/],
] as const) {
  t.test(`AUTO_DETECT in ${field} reads nearly as well as the best profile`, async (t) => {
    const { taken, best, ratio, status } = await compare(levelDb);
    t.match(taken, expected);
    t.ok(
      ratio > 0.9,
      `${ratio.toFixed(3)} of ${best.name}, ${Math.round(best.rate)} reads a second`,
    );
    t.ok(status.linkChecks >= 2, `${status.linkChecks} checks`);
    const share = status.linkCheckNs / status.airTimeNs;
    t.ok(share < 0.05, `${(100 * share).toFixed(2)} % of the air for checks`);
    t.comment(
      `${levelDb} dB: ${taken}, best ${best.name} ${best.rate}/s, ratio ${ratio}, share ${share}`,
    );
  });
}

t.test('AUTO_DETECT follows noise that comes and goes', async (t) => {
  const coming = field([{ levelDb: 57, fromSeconds: 10, untilSeconds: 30 }]);
  const mode = { ...MODE, environment: 'AUTO_DETECT' };
  const during = await runMode(mode, { ...coming, durationMs: 25_000 });
  t.match(during.status.linkProfile, /^M4-(320|250)$/);
  const after = await runMode(mode, { ...coming, durationMs: 45_000 });
  t.equal(after.status.linkProfile, 'FM0-640');
  t.ok(after.status.linkChanges >= 3, `${after.status.linkChanges} changes`);
});

t.test('AUTO_DETECT: the same seed chooses the same, and trials are not reported', async (t) => {
  const mode = { ...MODE, environment: 'AUTO_DETECT' };
  const noisy = { ...field([{ levelDb: 51 }]), durationMs: 8000 };
  const [one, other] = [await runMode(mode, noisy), await runMode(mode, noisy)];
  t.same(one.status, other.status);
  t.same(one.reads.length, other.reads.length);
  t.equal(one.reads.length, one.status.reads, 'what is counted is reported');
  t.ok(one.status.linkChecks >= 1);
});

t.test('AUTO_DETECT without tags keeps the default, and costs little', async (t) => {
  const mode = { ...MODE, antennas: [1, 2], environment: 'AUTO_DETECT' };
  const { status } = await runMode(mode, { tags: [], durationMs: 30_000 });
  t.equal(status.linkProfile, 'M4-250');
  t.ok(status.linkChecks >= 2 && status.linkChecks <= 6, `${status.linkChecks} checks`);
  t.ok(status.linkCheckNs < 0.05 * status.airTimeNs, `${status.linkCheckNs / 1e6} ms of checks`);
});
