/** The schemas that the build compiles for the start judge as those that are compiled later. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import t from 'tap';
import {
  AJV_OPTIONS,
  compilerInput,
  readyKey,
} from '../../src/reader-gateway/api/compile-schema.js';
import { OperatingMode } from '../../src/reader-gateway/api/mode.js';
import { READY } from '../../src/reader-gateway/api/ready-validators.js';
import { CHECKED_AT_START } from '../../src/reader-gateway/checked-at-start.js';
import { PACKAGE_ROOT } from '../../src/shared/package-info.js';
import { INVALID } from '../modes/invalid-cases.js';

const BUNDLE = join(PACKAGE_ROOT, 'dist/bundle/lib');
const NOTHING_RIGHT = [null, 7, 'text', [], {}, [{}], { type: 7 }, { reading: 'yes', no: 1 }];

/** With what is wrong of each field, and some that are right, known and not known. */
const MODES = [
  ...INVALID.map(([mode]) => mode),
  { type: 'INVENTORY' },
  { type: 'SIMPLE', antennas: [1, 2], transmitPower: [20, 30], rssiFilter: { threshold: -60 } },
  { type: 'CUSTOM', tagMetaData: ['PC', { userDefined: 'x' }], environment: 'HIGH_INTERFERENCE' },
  { type: 'SIMPLE', unknown: 1, query: { session: 'S1', unknown: 2 } },
];

t.test('every value is judged alike, with the same words for its faults', async (t) => {
  const judge = (validate: ValidateFunction, value: unknown) => {
    const fits = validate(value);
    // As JSON: what is checked itself stands in each fault.
    return JSON.stringify({ fits, errors: validate.errors });
  };
  for (const { schema, form } of CHECKED_AT_START) {
    const late = new Ajv2020(AJV_OPTIONS).compile(compilerInput(schema, form));
    const early = READY.get(readyKey(schema, form)) as ValidateFunction;
    const values = schema === OperatingMode ? [...MODES, ...NOTHING_RIGHT] : NOTHING_RIGHT;
    for (const value of values) t.equal(judge(early, value), judge(late, value));
  }
});

t.test('the programs that are bundled have them', async (t) => {
  const texts = readdirSync(BUNDLE)
    .filter((name) => name.endsWith('.js'))
    // The bundler breaks long lines, also in texts.
    .map((name) => readFileSync(join(BUNDLE, name), 'utf8').replaceAll('\\\n', ''));
  for (const { schema, form } of CHECKED_AT_START) {
    const key = readyKey(schema, form);
    t.ok(
      texts.some((text) => text.includes(key)),
      key,
    );
  }
});
