/** The array-type reader: antennas are beams. */
import t from 'tap';
import { loadScenario } from '../../src/radio-control/scenario/load-scenario.js';
import { loadModel } from '../../src/shared/reader-model/find-model.js';
import { runMode } from './on-air.js';

const field = await loadScenario('array-reader');
const facts = { readerModel: 'array-38', region: 'fcc', maxEirpCdbm: 3600 };
const run = { field: { ...field, startTimeNs: 1_767_225_600_000_000_000n }, facts };

t.test('all 38 beams are the default, at 36 dBm EIRP', async (t) => {
  const { compiled, events, reads } = await runMode(
    { type: 'CUSTOM', query: { session: 'S0' }, tagMetaData: ['ANTENNA'] },
    run,
  );
  t.equal(compiled.plan.antennas?.length, 38);
  t.same(compiled.plan.antennas?.[0], { ...compiled.plan.antennas?.[0], port: 1, beam: 1 });
  // 36 dBm EIRP with 6 dBi.
  t.equal(compiled.plan.antennas?.[0]?.transmitPowerCdbm, 3000);
  t.same(compiled.plan.cycleDelay, { kind: 2, durationMs: 75 });
  t.ok(events.length > 10);
  t.ok(reads.every(({ beam, antenna }) => antenna === 1 && beam >= 1 && beam <= 38));
  t.same(
    events.map(({ data }) => data.antenna),
    reads.map(({ beam }) => beam),
    'events number the beams as antennas',
  );
});

t.test('antennas name beams', async (t) => {
  const { compiled } = await runMode({ type: 'CUSTOM', antennas: [7, 2] }, run);
  t.same(
    compiled.plan.antennas?.map(({ port, beam }) => [port, beam]),
    [
      [1, 7],
      [1, 2],
    ],
  );
});

t.test('beams name directions: the nearest beam that there is', async (t) => {
  const { beams = [] } = loadModel('array-38');
  const { compiled } = await runMode(
    {
      type: 'CUSTOM',
      beams: [
        { azimuth: 2, elevation: 30 },
        { azimuth: -90, elevation: 47, polarization: 'LHCP' },
      ],
    },
    run,
  );
  const chosen = compiled.plan.antennas?.map(({ beam }) =>
    beams.find(({ number }) => number === beam),
  );
  t.match(chosen, [
    { azimuth: 0, elevation: 30 },
    { azimuth: 270, elevation: 48 },
  ]);
});

t.test('a beam hears best the tags that it points to', async (t) => {
  // The rack stands at x = -1.5, y = 2: azimuth about 323 degrees, 35 degrees from the vertical.
  const mode = (azimuth: number) => ({
    type: 'CUSTOM',
    beams: [{ azimuth, elevation: 30 }],
    query: { session: 'S0' },
    tagMetaData: ['RSSI'],
    tagIdFilter: { match: 'prefix', value: '34' },
  });
  const { query: _query, ...towards } = mode(330);
  const { query: _other, ...away } = mode(150);
  const near = await runMode(towards, run);
  const far = await runMode(away, run);
  t.ok(near.events.length > 0 && near.events.length > far.events.length);
});
