/** What the radio itself refuses of a mode is named as the mode names it. */
import t from 'tap';
import { loadAddon } from '../../src/radio-control/addon/addon.js';
import { Inventory } from '../../src/radio-control/inventory.js';
import { compileMode } from '../../src/reader-gateway/mode/compile.js';
import { modeViolations } from '../../src/reader-gateway/mode/plan-paths.js';
import type { RadioFacts } from '../../src/reader-gateway/mode/radio-facts.js';
import { createLogger } from '../../src/shared/log.js';
import { factsOf, options } from './on-air.js';

const radio = new (loadAddon().Radio)(options({}));
const inventory = new Inventory(radio, createLogger('test', { level: 'silent' }), {});

/** @param facts What the gateway believes of the radio: more than it has. */
function refused(mode: object, facts: Partial<RadioFacts> = {}): string[] {
  const compiled = compileMode(mode, { ...factsOf({}, radio), ...facts });
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.violations));
  const found = inventory.violations(compiled.value.plan);
  return modeViolations(found, compiled.value).map(({ field }) => field);
}

const S = { type: 'SIMPLE' };
const hard = { match: 'regex', value: '(a+)+$' };
const read = { type: 'READ', config: { membank: 'TID', wordPointer: 0, wordCounter: 1 } };

const CASES: [name: string, mode: object, facts: Partial<RadioFacts>, expected: string[]][] = [
  ['an expression', { ...S, tagIdFilter: hard }, {}, ['tagIdFilter.value']],
  ['as the client spells it', { ...S, filter: hard }, {}, ['filter.value']],
  ['an antenna', { ...S, antennas: [1, 7] }, { antennas: [1, 7] }, ['antennas[1]']],
  [
    'an antenna of all',
    { ...S, antennaStopCondition: { type: 'DURATION', value: 5 } },
    { antennas: [9] },
    ['antennas'],
  ],
];

for (const [name, mode, facts, expected] of CASES) {
  t.test(`${name}: ${expected.join()}`, async (t) => t.same(refused(mode, facts), expected));
}

t.test('every field of a plan is one of a mode', async (t) => {
  const mode = {
    type: 'CUSTOM',
    antennas: [1, 2],
    transmitPower: [20, 21],
    query: [{ session: 'S0' }, { session: 'S1' }],
    antennaStopCondition: { type: 'DURATION', value: 5 },
    selects: [
      {
        target: 'SL',
        action: 'ASSERTSL_NOTHING',
        membank: 'EPC',
        pointer: 32,
        length: 8,
        mask: '30',
      },
    ],
    accesses: [
      {
        type: 'WRITE',
        config: { membank: 'USER', wordPointer: 0, data: '11112222', blockSize: 1 },
      },
      read,
    ],
    tagMetaData: ['RSSI', 'USER', 'TID[0-1,3]'],
    radioStartConditions: { type: 'GPI', gpis: [{ port: 1, signal: 'LOW' }] },
    radioStopConditions: { gpis: [{ port: 2, signal: 'LOW' }], duration: 5 },
  };
  const compiled = compileMode(mode, factsOf({}, radio));
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.violations));
  const fields: Record<string, string> = {
    antennas: 'antennas',
    'antennas[1].beam': 'antennas[1]',
    'antennas[1].transmit_power_cdbm': 'transmitPower[1]',
    'antennas[1].query.tag_population': 'query[1].tagPopulation',
    'antennas[1].dwell.duration_ms': 'antennaStopCondition.value',
    'antennas[1].dwell.input.debounce_ms': 'antennaStopCondition.value.debounceTime',
    'antennas[0].selects[0].bank': 'selects[0].membank',
    'antennas[0].selects': 'selects',
    'antennas[0].access': 'accesses',
    'antennas[0].access[0].bank': 'tagMetaData[2]',
    'antennas[0].access[2].word_count': 'tagMetaData[1]',
    'antennas[0].access[3].data': 'accesses[0].config.data',
    'antennas[0].access[4].word_pointer': 'accesses[0].config.wordPointer',
    'antennas[0].access[5].bank': 'accesses[1].config.membank',
    'antennas[0].access[5].kind': 'accesses[1].type',
    'memory[1].word_count': 'tagMetaData[2]',
    memory: 'tagMetaData',
    link_profile: 'environment',
    delay_after_selects_us: 'delayAfterSelects',
    min_rssi_cdbm: 'rssiFilter.threshold',
    'cycle_delay.duration_ms': 'delayBetweenAntennaCycles.duration',
    'report_filter.period_ms': 'reportFilter',
    'start.inputs[0].port': 'radioStartConditions.gpis[0].port',
    'start.inputs': 'radioStartConditions.gpis',
    'stop.inputs[0].debounce_ms': 'radioStopConditions.gpis[0].debounceTime',
    'stop.no_new_tags_ms': 'radioStopConditions.durationAfterNoMoreUniqueTags',
  };
  for (const [field, expected] of Object.entries(fields)) {
    const [found] = modeViolations([{ field, message: 'wrong' }], compiled.value);
    t.same(found, { field: expected, message: 'wrong' }, field);
  }
});
