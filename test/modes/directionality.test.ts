/** DIRECTIONALITY along the whole way of a read: the library's array reader, on virtual time. */
import t from 'tap';
import type { TagRead } from '../../src/contract/messages.js';
import { timeNsToMs } from '../../src/contract/time.js';
import { loadAddon } from '../../src/radio-control/addon/addon.js';
import { loadScenario } from '../../src/radio-control/scenario/load-scenario.js';
import { splitDirectionEvent } from '../../src/reader-gateway/delivery/direction-event.js';
import { eventText } from '../../src/reader-gateway/delivery/event-bytes.js';
import { Directionality } from '../../src/reader-gateway/directionality/engine.js';
import type { CompiledMode } from '../../src/reader-gateway/mode/compile.js';
import { effectiveMode } from '../../src/reader-gateway/mode/effective.js';
import { factsOf, options, runMode, START_NS } from './on-air.js';

const field = await loadScenario('array-reader');
const facts = { readerModel: 'array-38', region: 'fcc', maxEirpCdbm: 3600 };
/** Each cart has passed once by then, and none twice. */
const ONE_PASS_MS = 38_000;
const LONGEST_TIMEOUT_MS = 3_600_000;
const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}[+-]\d{4}$/;
const DIRECTIONALITY = {
  type: 'DIRECTIONALITY',
  directionalitySettings: { basicConfig: {}, advancedConfig: {} },
};
const array = { field: { ...field, startTimeNs: START_NS }, facts };
/** Of the ids of the cart that comes in, and of the one that goes out. */
const SGTIN_96 = '30';
const GRAI_96 = '33';

const radioFacts = factsOf(array, new (loadAddon().Radio)(options(array)));

function eventsOf(reads: readonly TagRead[], { directionality }: CompiledMode) {
  if (directionality === undefined) throw new Error('no DIRECTIONALITY mode');
  const engine = new Directionality(directionality.settings);
  let nowMs = 0;
  const events = reads.flatMap(({ epc, beam, rssiCdbm, timeNs }) => {
    nowMs = timeNsToMs(timeNs);
    const idHex = Buffer.from(epc).toString('hex');
    const pointed = directionality.beams.get(beam);
    if (pointed === undefined) throw new Error(`beam ${beam} is none of the reader`);
    return engine.take({ idHex, timeMs: nowMs, antenna: beam, ...pointed, rssiCdbm });
  });
  events.push(...engine.advance(nowMs + LONGEST_TIMEOUT_MS));
  // biome-ignore lint/suspicious/noExplicitAny: events as a client sees them
  return events.map((one, i): any => JSON.parse(eventText(splitDirectionEvent(one), i + 1)));
}

async function run(mode: object, { seed = 1, advancedConfig = {} } = {}) {
  const { reads, compiled } = await runMode(
    {
      ...DIRECTIONALITY,
      directionalitySettings: { basicConfig: {}, advancedConfig },
      ...mode,
    },
    { field: { ...array.field, seed }, facts, durationMs: ONE_PASS_MS },
  );
  return { reads, events: eventsOf(reads, compiled) };
}

t.test('every time in every event is a time stamp', async (t) => {
  const { events } = await run(
    {},
    {
      advancedConfig: {
        report_raw: true,
        report_zone_history: true,
        report_location_history: true,
      },
    },
  );
  const times: string[] = [];
  for (const { timestamp, data } of events) {
    times.push(timestamp);
    if (data.event === undefined) continue;
    times.push(data.firstSeen, data.lastSeen);
    for (const history of [data.zoneHistory, data.locationHistory]) {
      for (const { timestamp } of history ?? []) times.push(timestamp);
    }
  }
  t.ok(times.length > 5000, `${times.length} times`);
  const wrong = times.filter((time) => !ISO.test(time) || Number.isNaN(Date.parse(time)));
  t.same(wrong, []);
});

t.test('with all defaults the direction of tags that pass is told', async (t) => {
  const found = { right: 0, wrong: 0, passed: 0 };
  for (const seed of [1, 2, 3]) {
    const { events } = await run({}, { seed });
    for (const { data } of events) {
      const way = { [SGTIN_96]: 'IN', [GRAI_96]: 'OUT' }[data.idHex.slice(0, 2) as string];
      if (data.event !== 'TIMED_OUT' || way === undefined) continue;
      found.passed++;
      if (data.direction === way) found.right++;
      else if (data.direction === 'IN' || data.direction === 'OUT') found.wrong++;
    }
  }
  t.comment(found);
  t.equal(found.passed, 54, 'each tag of the two carts is gone once');
  t.ok(found.right >= 51, `${found.right} of ${found.passed} right`);
  t.equal(found.wrong, 0);
});

t.test('the session is S0 by default, and any other that is asked for', async (t) => {
  const sessions = async (mode: object) => {
    const { compiled } = await runMode({ ...DIRECTIONALITY, ...mode }, { ...array, cycles: 1 });
    return {
      plan: new Set(compiled.plan.antennas?.map(({ query }) => query?.session)),
      verbose: effectiveMode(compiled.mode, radioFacts).query,
    };
  };
  const told = { sel: 'ALL', target: 'A', tagPopulation: 1 };
  t.same(await sessions({}), { plan: new Set([0]), verbose: { ...told, session: 'S0' } });
  t.same(await sessions({ query: { target: 'B' } }), {
    plan: new Set([0]),
    verbose: { ...told, target: 'B', session: 'S0' },
  });
  for (const session of ['S1', 'S2'] as const) {
    const query = { session };
    const number = session === 'S1' ? 1 : 2;
    t.same(await sessions({ query }), { plan: new Set([number]), verbose: { ...told, session } });
  }
});
