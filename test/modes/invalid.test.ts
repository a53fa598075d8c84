/** Every way in which a mode can be wrong gives exactly the errors of invalid.golden.json. */
import { readFileSync } from 'node:fs';
import t from 'tap';
import { INVALID } from './invalid-cases.js';
import { violationsOf } from './on-air.js';

const golden = JSON.parse(
  readFileSync(new URL('../../../test/modes/invalid.golden.json', import.meta.url), 'utf8'),
) as string[][];

t.test('each mode has its errors', async (t) => {
  t.equal(golden.length, INVALID.length);
});
INVALID.forEach(([mode, facts], index) => {
  const expected = golden[index] ?? [];
  t.test(`${JSON.stringify(mode).slice(0, 100)} gives ${expected.length} errors`, async (t) => {
    t.ok(expected.length > 0);
    t.same(violationsOf(mode, facts === undefined ? {} : { facts }), expected);
  });
});

t.test('many wrong fields are named all at once', async (t) => {
  const found = violationsOf({
    type: 'CUSTOM',
    transmitPower: 99,
    delayAfterSelects: 70,
    query: { session: 'S7' },
    selects: [{}],
    tagMetaData: ['SPEED'],
    reportFilter: { duration: -5, type: 'X' },
  });
  const fields = new Set(found.map((text) => text.split(/[.:[]/)[0]));
  t.same([...fields].sort(), [
    'delayAfterSelects',
    'query',
    'reportFilter',
    'selects',
    'tagMetaData',
    'transmitPower',
  ]);
});

t.test('a part in which something is wrong is not said to be missing', async (t) => {
  const facts = { antennas: [1], beams: [38], readerModel: 'array-38' };
  const directionalitySettings = { basicConfig: { zonePlan: 5 }, advancedConfig: {} };
  t.same(violationsOf({ type: 'DIRECTIONALITY', directionalitySettings }, { facts }), [
    'directionalitySettings.basicConfig.zonePlan: 5 is not one of 4, 6',
  ]);
  t.same(violationsOf({ type: 'DIRECTIONALITY', modeSpecificSettings: { aar: 1 } }, { facts }), [
    'modeSpecificSettings.basicConfig: is required',
    'modeSpecificSettings.advancedConfig: is required',
    'modeSpecificSettings.aar: 1 is not an object',
  ]);
});

t.test('secrets never come back in an error', async (t) => {
  const access = [{ type: 'ACCESS', config: { password: 'hunter2!' } }];
  t.notMatch(violationsOf({ type: 'SIMPLE', access }).join(), /hunter2/);
});
