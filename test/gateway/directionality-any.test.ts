/** Whatever is read under whatever settings, each tag's events tell one story. */
import fc from 'fast-check';
import t from 'tap';
import { DirectionalitySettings } from '../../src/reader-gateway/api/directionality.js';
import { findViolations } from '../../src/reader-gateway/api/validate.js';
import type { DirectionEvent } from '../../src/reader-gateway/directionality/engine.js';
import { checkDirectionality } from '../../src/reader-gateway/directionality/settings.js';
import { engine, START_MS } from './directionality-walk.js';

const basicConfig = fc.record(
  {
    zonePlan: fc.constantFrom(4, 6),
    orientation: fc.integer({ min: 0, max: 359 }),
    innerZoneWidth: fc.integer({ min: 2, max: 12 }),
    zoneExtension: fc.constantFrom(0, 1),
  },
  { requiredKeys: [] },
);
const advancedConfig = fc.record(
  {
    report_update_duration_seconds: fc.constantFrom(-1, 0.3, 7),
    report_zone_history: fc.boolean(),
    tag_timeout_seconds_min: fc.constantFrom(3.5, 30),
    background_processing_interval_seconds: fc.constantFrom(0.05, 0.3, 0.5, 7),
    hysteresis_feet: fc.constantFrom(0, 1, 2),
    raw_location_conf_threshold: fc.constantFrom(0, 50, 100),
    sigma_multiplier: fc.integer({ min: 0, max: 9 }),
    max_tags_limit: fc.constantFrom(1, 2, 2000),
    regression_extrapolation_multiplier: fc.constantFrom(0, 1),
  },
  { requiredKeys: [] },
);
const read = fc.record({
  idHex: fc.constantFrom('a1', 'b2', 'c3'),
  waitMs: fc.oneof(fc.integer({ min: -5, max: 800 }), fc.integer({ min: 0, max: 4_000_000 })),
  antenna: fc.nat(400),
  azimuth: fc.integer({ min: -359, max: 359 }),
  elevation: fc.integer({ min: -90, max: 180 }),
  rssiCdbm: fc.oneof(fc.integer({ min: -9000, max: -2000 }), fc.constantFrom(-1e9, 0, Number.NaN)),
});

/** @returns What is wrong with the events of one tag, in their order. */
function fault(events: DirectionEvent[], mayBeForgotten: boolean): string | undefined {
  let zone: unknown;
  for (const { data } of events) {
    if (data.event === 'NEW') {
      if (zone !== undefined && !mayBeForgotten) return 'NEW twice';
    } else if (data.event === 'TRANSITION') {
      if (data.previousZone !== zone || data.zone === zone) return 'TRANSITION from elsewhere';
    } else if (data.zone !== zone && !(mayBeForgotten && data.direction === 'ERROR')) {
      return `${data.event} from elsewhere`;
    }
    const located = Number.isFinite(data.x) && Number.isFinite(data.y);
    if (located !== (data.zone !== undefined)) return 'a zone without a place';
    if ((data.direction === 'ERROR') !== (data.event !== 'NEW' && !located)) return 'ERROR';
    zone = data.event === 'TIMED_OUT' ? undefined : data.zone;
  }
  return zone === undefined || mayBeForgotten ? undefined : 'no end';
}

t.test('each story has a beginning, an order and an end', async () => {
  const reads = fc.array(read, { maxLength: 120 });
  fc.assert(
    fc.property(basicConfig, advancedConfig, reads, (basic, advanced, todo) => {
      const settings = { basicConfig: basic, advancedConfig: advanced };
      const wrong = findViolations(DirectionalitySettings, settings);
      checkDirectionality(settings as DirectionalitySettings, '', (field, message) =>
        wrong.push({ field, message }),
      );
      if (wrong.length > 0) throw new Error(JSON.stringify(wrong));
      const machine = engine(basic, advanced);
      let timeMs = START_MS;
      const events: DirectionEvent[] = [];
      for (const { waitMs, ...one } of todo) {
        timeMs += waitMs;
        events.push(...machine.take({ ...one, timeMs }));
      }
      events.push(...machine.advance(timeMs + 3_700_000));
      if (machine.tagCount !== 0) throw new Error('a tag never goes');
      for (const idHex of ['a1', 'b2', 'c3']) {
        const own = events.filter(({ data }) => data.idHex === idHex);
        const found = fault(own, machine.forgottenTags > 0);
        if (found !== undefined) throw new Error(found);
      }
      if (events.some(({ timeMs }, i) => timeMs < (events[i - 1]?.timeMs ?? 0))) {
        throw new Error('not in the order of time');
      }
    }),
    { numRuns: 300 },
  );
});
