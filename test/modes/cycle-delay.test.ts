import t from 'tap';
import { atMs, runMode } from './on-air.js';

/** Milliseconds of silence between antenna cycles: from a carrier's end to the next one's start. */
function pauses(packets: { kind: string; timeNs: bigint }[]): number[] {
  const found: number[] = [];
  packets.forEach((packet, i) => {
    const before = packets[i - 1];
    if (packet.kind === 'carrierOn' && before?.kind === 'carrierOff') {
      found.push(atMs(packet) - atMs(before));
    }
  });
  return found;
}

const mode = (type: string, duration: number) => ({
  type: 'CUSTOM',
  antennas: [1],
  query: { session: 'S0' },
  reportFilter: { duration: 0, type: 'RADIO_WIDE' },
  delayBetweenAntennaCycles: { type, duration },
});
const long = (packets: { kind: string; timeNs: bigint }[]) =>
  pauses(packets).filter((ms) => ms > 10);

t.test('NO_TAGS waits after a cycle without tags, within 1 %', async (t) => {
  const { packets, status } = await runMode(mode('NO_TAGS', 75), { tags: [], cycles: 4 });
  t.equal(long(packets).length, 3);
  // The fall of the carrier, 0.5 ms, belongs to the pause.
  for (const ms of long(packets)) t.ok(Math.abs(ms + 0.5 - 75) <= 1.6, `${ms} ms`);
  t.equal(status.cycles, 4);
});

t.test('NO_TAGS does not wait while there are tags', async (t) => {
  const { packets } = await runMode(mode('NO_TAGS', 75), { cycles: 4 });
  t.equal(long(packets).length, 0);
});

t.test('NO_UNIQUE_TAGS waits after a cycle without a new tag', async (t) => {
  const { packets, reads } = await runMode(mode('NO_UNIQUE_TAGS', 200), { cycles: 4 });
  t.equal(reads.length, 40);
  t.equal(long(packets).length, 2, 'the first cycle brought new tags, the last one is the end');
});

t.test('DISABLED never waits', async (t) => {
  const { packets } = await runMode(mode('DISABLED', 0), { tags: [], cycles: 4 });
  t.equal(long(packets).length, 0);
});

for (const [readerModel, kind] of [
  ['fixed-4', 1],
  ['fixed-8', 1],
  ['fixed-8-rssi', 2],
  ['array-38', 2],
] as const) {
  t.test(`the default of ${readerModel} is 75 ms`, async (t) => {
    const { compiled } = await runMode({ type: 'SIMPLE' }, { facts: { readerModel }, tags: [] });
    t.same(compiled.plan.cycleDelay, { kind, durationMs: 75 });
  });
}

t.test('tags that come during the pause are read after it', async (t) => {
  const { reads } = await runMode(mode('NO_TAGS', 100), {
    durationMs: 350,
    field: {
      groups: [
        {
          waypoints: [
            [0.15, 0, 0, 0],
            [100, 0, 0, 0],
          ],
          periodSeconds: 0,
          tags: [{ epc: Buffer.alloc(12, 1), offset: [0, 0, 0], sensitivityDbm: -20 }],
        },
      ],
    },
  });
  t.ok(reads.length > 0);
});
