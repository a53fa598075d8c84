/** What is remembered, for how long, and the reads as they are. */
import t from 'tap';
import { effectiveDirectionality } from '../../src/reader-gateway/directionality/settings.js';
import { GapStatistics } from '../../src/reader-gateway/directionality/timeout.js';
import { HISTORY_LIMIT } from '../../src/reader-gateway/directionality/track.js';
import { engine, readsOf, run, START_MS, story } from './directionality-walk.js';

const read = (idHex: string, seconds: number, elevation = 15) => ({
  idHex,
  timeMs: START_MS + seconds * 1000,
  antenna: 118,
  azimuth: 75,
  elevation,
  rssiCdbm: -5460,
});

t.test('above max_tags_limit the longest unseen tag goes', async (t) => {
  const machine = engine({}, { max_tags_limit: 3 });
  const ids = ['a1', 'b2', 'c3', 'a1', 'd4', 'b2'];
  const events = run(
    machine,
    ids.map((idHex, second) => read(idHex, second)),
    60,
  );
  t.equal(machine.forgottenTags, 2);
  const of = (event: string) =>
    events.filter(({ data }) => data.event === event).map(({ data }) => data.idHex);
  t.same(of('NEW'), ['a1', 'b2', 'c3', 'd4', 'b2'], 'b2 went for d4 and came back for c3');
  t.same(of('TIMED_OUT'), ['a1', 'd4', 'b2']);
  t.equal(machine.tagCount, 0);
});

t.test('raw events only if they are wanted, at once and for each read', async (t) => {
  t.same(engine().take(read('a1', 0)), []);
  const machine = engine({}, { report_raw: true, user_defined: 'gate 3' });
  const raw = {
    type: 'RAW_DIRECTIONALITY',
    timeMs: START_MS,
    data: {
      idHex: 'a1',
      azimuth: 75,
      elevation: 15,
      antenna: 118,
      peakRssi: -55,
      userDefined: 'gate 3',
    },
  };
  t.same(machine.take(read('a1', 0)), [raw]);
  t.equal(machine.take(read('a1', 0)).length, 1);
  t.match(machine.take(read('a1', 2)), [{ data: { event: 'NEW' } }, { type: raw.type }]);
});

t.test('the timeout follows the gaps between reads', async (t) => {
  const rules = (advancedConfig: object) =>
    effectiveDirectionality({ basicConfig: {}, advancedConfig }).advancedConfig;
  const wide = rules({
    tag_timeout_seconds_min: 1,
    tag_timeout_seconds_default: 20,
    tag_timeout_seconds_max: 60,
    ma_duration_seconds: 0.5,
  });
  const timeout = (gaps: number[], settings = wide) => {
    const statistics = new GapStatistics();
    for (const gap of gaps) statistics.add(gap);
    return statistics.timeoutMs(settings);
  };
  t.equal(timeout([]), 20_000);
  t.equal(timeout([100, 100, 100, 100]), 20_000, 'not known yet');
  t.equal(timeout([100, 100, 100, 100, 100]), 1000, 'not below the minimum');
  t.equal(timeout([4000, 6000, 4000, 6000, 5000]), 5000 + 5 * 1000);
  t.equal(timeout([4000, 6000, 4000, 6000, 5000], { ...wide, sigma_multiplier: 2 }), 7000);
  t.equal(timeout([1, 1, 1, 1, 900_000]), 60_000, 'not above the maximum');

  const times = (seconds: number[]) =>
    run(
      engine({}, wide),
      seconds.map((second) => read('a1', second)),
      100,
    )
      .filter(({ data }) => data.event === 'TIMED_OUT')
      .map(({ timeMs }) => (timeMs - START_MS) / 1000);
  t.same(times([0]), [20]);
  t.same(times([0, 0.1, 0.2, 0.3, 0.4, 0.5]), [1.5]);
  t.same(times([0, 4, 10, 14, 20, 25]), [35]);
});

t.test('time that passes in one step or in many gives the same events', async (t) => {
  const reads = readsOf({ idHex: 'ee', seconds: 20, at: (s) => ({ x: 0, y: -30 + 3 * s }) });
  const settings = { report_update_duration_seconds: 2, report_raw: true };
  const coarse = run(engine({}, settings), reads, 60);
  const machine = engine({}, settings);
  const fine = reads.flatMap((one) => {
    const before = [7, 3, 1].flatMap((ms) => machine.advance(one.timeMs - ms));
    return [...before, ...machine.take(one)];
  });
  const last = reads.at(-1)?.timeMs ?? 0;
  for (let ms = 0; ms <= 60_000; ms += 37) fine.push(...machine.advance(last + ms));
  fine.push(...machine.advance(last + 60_000));
  t.same(fine, coarse);
});

t.test('a late read counts as a read of now, and long histories are cut', async (t) => {
  const machine = engine({}, { report_location_history: true });
  machine.take(read('a1', 10));
  machine.take(read('a1', 4));
  t.match(machine.advance(START_MS + 11_000), [{ data: { event: 'NEW', reads: 2 } }]);

  const reads = readsOf({ idHex: 'ff', seconds: 200, everyMs: 20, at: () => ({ x: 0, y: 5 }) });
  const events = run(engine({}, { report_location_history: true }), reads, 40);
  t.same(story(events), ['NEW ZONE3', 'TIMED_OUT ZONE3 NONE']);
  t.equal((events[1]?.data.locationHistory as unknown[] | undefined)?.length, HISTORY_LIMIT);
});
