/** Each model serves its own limits, and they are those that its requests are checked against. */
import t from 'tap';
import type { GpoAction } from '../../src/reader-gateway/api/gpio-led.js';
import { asyncApiDocument } from '../../src/reader-gateway/documents/asyncapi.js';
import { openApiDocument } from '../../src/reader-gateway/documents/openapi.js';
import { compileMode } from '../../src/reader-gateway/mode/compile.js';
import { OPERATIONS } from '../../src/reader-gateway/operations/table.js';
import { gpioLedProblems } from '../../src/reader-gateway/state/gpio-led-rules.js';
import { modelNames } from '../../src/shared/reader-model/find-model.js';
import { asSent, compile } from './compiled.js';
import { SAMPLE_CONNECTIONS, sampleFacts } from './sample-facts.js';

const gpi = (port: number) => ({ radioStopConditions: { gpis: [{ port, signal: 'HIGH' }] } });
const select = {
  target: 'S1',
  action: 'INVA_INVB',
  membank: 'EPC',
  pointer: 32,
  length: 8,
  mask: 'a1',
};

/** Modes at and beyond every limit of some model. */
const MODES = [
  ...[0, 1, 2, 4, 5, 8, 9, 38, 39].map((antenna) => ({ antennas: [antenna] })),
  { antennas: [1, 1] },
  ...[-1, 0, 5, 10, 27, 30, 30.5, 33, 33.5, 36, 36.5].flatMap((transmitPower) => [
    { transmitPower },
    { antennas: [1], transmitPower: [transmitPower] },
  ]),
  ...[1, 2, 3, 4, 5, 17].map(gpi),
  ...[1, 2, 3, 4, 5].map((port) => ({
    type: 'PORTAL',
    portalSettings: { startTrigger: { port } },
  })),
  { antennas: [1], select: [Array.from({ length: 32 }, () => select)] },
  { antennas: [1], select: [Array.from({ length: 33 }, () => select)] },
];

/** Fields that only some readers have, with a value that these take. */
const FIELDS = {
  rssiFilter: { threshold: -60 },
  beams: [{ azimuth: 0, elevation: 12 }],
  directionalitySettings: { basicConfig: {}, advancedConfig: {} },
  select: [select],
  access: [{ type: 'READ', config: { membank: 'TID', wordPointer: 0, wordCounter: 2 } }],
};

for (const model of modelNames()) {
  t.test(model, async (t) => {
    const facts = await sampleFacts(model);
    const basis = { operations: OPERATIONS, version: '1.0.0', facts };
    const document = asSent(openApiDocument(basis));
    const { OperatingMode } = document.components.schemas;

    t.test('the document and the reader take the same modes', async (t) => {
      const validate = compile(document, 'components', 'schemas', 'OperatingMode');
      const taken = { document: 0, reader: 0 };
      for (const more of MODES) {
        const mode = { type: 'SIMPLE', ...more };
        const documented = validate(mode);
        const compiled = compileMode(mode, facts.radio);
        t.equal(documented, compiled.ok, `${JSON.stringify(mode).slice(0, 90)}`);
        if (documented) taken.document++;
        if (compiled.ok) taken.reader++;
      }
      t.ok(taken.document > 5 && taken.document < MODES.length);
    });

    t.test('what this reader does not have is not described', async (t) => {
      for (const [field, value] of Object.entries(FIELDS)) {
        const type = field === 'directionalitySettings' ? 'DIRECTIONALITY' : 'SIMPLE';
        const { ok } = compileMode({ type, [field]: value }, facts.radio);
        t.equal(field in OperatingMode.properties, ok, field);
      }
      const { ok } = compileMode(
        { type: 'DIRECTIONALITY', directionalitySettings: FIELDS.directionalitySettings },
        facts.radio,
      );
      t.equal(OperatingMode.properties.type.enum.includes('DIRECTIONALITY'), ok);
    });

    t.test(
      'inputs that it does not have are keys without actions, and are taken as documented',
      (t) => {
        const validate = compile(document, 'components', 'schemas', 'GpioLed');
        const { numGPIs, numGPOs } = facts.capabilities.capabilities;
        const board = { gpis: numGPIs, gpos: numGPOs, leds: [] };
        for (const input of [1, 2, 3, 4]) {
          for (const actions of [[], [{ type: 'GPO', pin: 1, state: 'HIGH' }] as GpoAction[]]) {
            const part = { [`GPI_${input}_H`]: actions };
            const taken = gpioLedProblems(part, board, '').length === 0;
            t.equal(taken, actions.length === 0 || input <= numGPIs);
            t.equal(validate(part), taken, JSON.stringify(part));
          }
        }
        t.end();
      },
    );

    t.test('answers are those of this reader', async (t) => {
      const { schemas } = document.components;
      const { capabilities } = schemas.ReaderCapabilities.properties;
      const own = facts.capabilities.capabilities;
      for (const name of ['numGPIs', 'numGPOs', 'maxDataEndpoints', 'maxNumPreFilters'] as const) {
        t.equal(capabilities.properties[name].const, own[name], name);
      }
      t.strictSame(
        Object.keys(schemas.Statistics.properties.antennas.properties),
        facts.radio.antennas.map(String),
      );
      const countries = ['DE', 'Germany', 'US', 'United States'];
      t.strictSame(schemas.SetRegulatory.properties.region.enum, [...facts.regions, ...countries]);
      t.strictSame(schemas.GetNetwork.properties.interface.enum, ['all', 'eth0']);
    });

    t.test('the AsyncAPI document has the same schemas', async (t) => {
      const events = asSent(
        asyncApiDocument({ ...basis, host: 'reader', connections: SAMPLE_CONNECTIONS }),
      );
      t.strictSame(events.components.schemas.OperatingMode, OperatingMode);
      const { antenna } = events.components.schemas.TagEvent.properties.data.properties;
      t.strictSame(antenna.enum, OperatingMode.properties.antennas.items.enum);
    });
  });
}
