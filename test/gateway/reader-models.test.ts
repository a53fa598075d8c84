/** The data files of reader models, and which of them a radio is. */
import { Ajv } from 'ajv';
import t from 'tap';
import { loadScenario } from '../../src/radio-control/scenario/load-scenario.js';
import { loadModel, modelNames, modelOf } from '../../src/shared/reader-model/find-model.js';
import { ReaderModel } from '../../src/shared/reader-model/reader-model.js';

t.test('every model fits the schema', async (t) => {
  const validate = new Ajv({ allErrors: true }).compile(ReaderModel);
  t.ok(modelNames().length >= 4);
  for (const name of modelNames()) {
    t.ok(validate(loadModel(name)), `${name}: ${JSON.stringify(validate.errors)}`);
  }
});

t.test('the RSSI filter is on one model only, and so is the array', async (t) => {
  const models = modelNames().map(loadModel);
  t.equal(models.filter(({ rssiFilter }) => rssiFilter).length, 1);
  const arrays = models.filter(({ beams }) => beams !== undefined);
  t.equal(arrays.length, 1);
  t.match(arrays[0], { defaultTransmitPowerDbm: 36, powerIs: 'EIRP', directionality: true });
  t.equal(arrays[0]?.beams?.length, 38);
  t.same(
    arrays[0]?.beams?.map(({ number }) => number),
    Array.from({ length: 38 }, (_, i) => i + 1),
  );
});

t.test('the beams of the array scenario point where the model says', async (t) => {
  const { antennas, site } = await loadScenario('array-reader');
  t.equal(site?.readerModel, 'array-38');
  const patterns = antennas[0]?.beams ?? [];
  for (const { number, azimuth, elevation } of loadModel('array-38').beams ?? []) {
    const [x = 0, y = 0, z = 0] = patterns[number - 1]?.direction ?? [];
    const degrees = 180 / Math.PI;
    t.ok(Math.abs(Math.atan2(Math.hypot(x, y), -z) * degrees - elevation) < 0.1, `beam ${number}`);
    const turned = (Math.atan2(x, y) * degrees + 360) % 360;
    t.ok(Math.abs(((turned - azimuth + 540) % 360) - 180) < 0.2, `beam ${number} at ${turned}`);
  }
});

t.test('a radio is what it says, or what its antennas say', async (t) => {
  const radio = { readerModel: '', antennas: [1, 2], beams: [0, 0] };
  t.equal(modelOf(radio), loadModel('fixed-4'));
  t.equal(modelOf({ ...radio, antennas: [1, 7] }), loadModel('fixed-8'));
  t.equal(modelOf({ ...radio, antennas: [1], beams: [38] }), loadModel('array-38'));
  t.equal(modelOf({ ...radio, readerModel: 'fixed-8-rssi' }), loadModel('fixed-8-rssi'));
  t.equal(modelOf({ ...radio, readerModel: 'no-such' }), loadModel('fixed-4'));
});
