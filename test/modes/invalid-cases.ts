/** Modes that are wrong, one field at a time, on the 4-port reader unless said otherwise. */
import type { RadioFacts } from '../../src/reader-gateway/mode/radio-facts.js';

const S = 'SIMPLE';
const everyRead = { duration: 0, type: 'RADIO_WIDE' };
const select = {
  target: 'SL',
  action: 'ASSERTSL_NOTHING',
  membank: 'EPC',
  pointer: 32,
  length: 8,
  mask: '30',
};
const RSSI: Partial<RadioFacts> = { readerModel: 'fixed-8-rssi' };
const beams38 = { antennas: [1], beams: [38], readerModel: 'array-38' };

export const INVALID: [mode: object, facts?: Partial<RadioFacts>][] = [
  // type
  [{}],
  [{ type: 'FAST' }],
  [{ type: 7 }],
  // antennas
  [{ antennas: [9] }],
  [{ type: S, antennas: [] }],
  [{ type: S, antennas: 'all' }],
  [{ type: S, antennas: [1, 'x'] }],
  [{ type: S, antennas: [1, 5] }],
  [{ type: S, antennas: [2, 2] }],
  [{ type: S, antennas: [1, 99] }, beams38],
  // beams
  [{ type: S, beams: [{ azimuth: 0, elevation: 12 }] }],
  [{ type: S, antennas: [1], beams: [{ azimuth: 0, elevation: 12 }] }, beams38],
  [{ type: S, beams: [{ azimuth: 0, elevation: 78 }] }, beams38],
  [
    {
      type: S,
      beams: [
        { azimuth: 0, elevation: 12 },
        { azimuth: 3, elevation: 13 },
      ],
    },
    beams38,
  ],
  [{ type: S, beams: [{ azimuth: 0, elevation: 12, polarization: 'PHI' }] }, beams38],
  [{ type: S, beams: [{ azimuth: 0 }] }, beams38],
  // transmitPower
  [{ type: S, transmitPower: 33.5 }],
  [{ type: S, transmitPower: -1 }],
  [{ type: S, transmitPower: '20' }],
  [{ type: S, transmitPower: [20] }],
  [{ type: S, antennas: [1, 2], transmitPower: [45, -5] }],
  [{ type: S, antennas: 0, transmitPower: [45] }],
  [
    { type: S, transmitPower: 30 },
    { region: 'etsi-lower', maxEirpCdbm: 3515 },
  ],
  [
    { type: S, transmitPower: 36 },
    { ...beams38, region: 'etsi-lower', maxEirpCdbm: 3515 },
  ],
  // environment, linkProfile
  [{ type: S, environment: 'QUIET' }],
  [{ type: S, linkProfile: 'M4' }],
  // antennaStopCondition
  [{ type: S, antennaStopCondition: {} }],
  [{ type: S, antennaStopCondition: { type: 'TIME', value: 1 } }],
  [{ type: S, antennaStopCondition: { type: 'DURATION', value: 0 } }],
  [{ type: S, antennaStopCondition: { type: 'SINGLE_INVENTORY_LIMITED_DURATION', value: '1' } }],
  [{ type: S, antennaStopCondition: { type: 'INVENTORY_COUNT', value: 65536 } }],
  [{ type: S, antennas: [1], antennaStopCondition: [{ type: 'GPI', value: { port: 1 } }] }],
  [{ type: S, antennaStopCondition: { type: 'GPI', value: 3 } }],
  [{ type: S, antennaStopCondition: { type: 'GPI', value: { port: 3, signal: 'LOW' } } }],
  [{ type: S, antennas: [1, 2], antennaStopCondition: [{ type: 'DURATION', value: 5 }] }],
  // query
  [{ type: S, query: { session: 'S4' } }],
  [{ type: S, query: { session: 4 } }],
  [{ type: S, query: { sel: 'SOME' } }],
  [{ type: S, query: { sel: 'SL' } }, { hasSelects: false }],
  [{ type: S, query: { target: 'C' } }],
  [{ type: S, query: { tagPopulation: 0 } }],
  [{ type: S, query: { tagpopulation: 0 } }],
  [{ type: S, query: [{}] }],
  // tagIdFilter
  [{ type: S, tagIdFilter: {} }],
  [{ type: S, filter: {} }],
  [{ type: S, tagIdFilter: { match: 'prefix', value: '303' } }],
  [{ type: S, filter: { match: 'suffix', value: 'xy' } }],
  [{ type: S, tagIdFilter: { match: 'infix', value: '30' } }],
  [{ type: S, tagIdFilter: { match: 'regex', value: '(30' } }],
  [{ type: S, tagIdFilter: { match: 'prefix', value: '30', operation: 'drop' } }],
  [{ type: S, tagIdFilter: { match: 'prefix', value: '30' }, query: { session: 'S0' } }],
  [{ type: S, filter: { match: 'prefix', value: '30' }, selects: [select] }],
  [
    {
      type: S,
      filter: { match: 'suffix', value: '30' },
      tagIdFilter: { match: 'suffix', value: '30' },
    },
  ],
  // select
  [{ type: S, select: select }],
  [{ type: S, select: [{}] }],
  [{ type: S, select: [{ ...select, target: 'S9' }] }],
  [{ type: S, select: [{ ...select, action: 'INVA_INVB' }] }],
  [{ type: S, selects: [{ ...select, target: 'S2' }] }],
  [{ type: S, select: [{ ...select, membank: 'FLASH' }] }],
  [{ type: S, select: [{ ...select, pointer: -1 }] }],
  [{ type: S, select: [{ ...select, length: 256 }] }],
  [{ type: S, select: [{ ...select, length: 9 }] }],
  [{ type: S, select: [{ ...select, mask: '3' }] }],
  [{ type: S, select: [{ ...select, truncate: 8, pointer: 0 }] }],
  [{ type: S, select: [[select]] }],
  [{ type: S, select: Array(33).fill(select) }],
  [{ type: S, select: [select] }, { hasSelects: false }],
  // delayAfterSelects
  [{ type: S, delayAfterSelects: 66 }],
  [{ type: S, delayAfterSelects: -1 }],
  [{ type: S, delayAfterSelects: 1.5 }],
  // access
  [{ type: S, access: [{}] }],
  [{ type: S, access: [{ type: 'ERASE', config: {} }] }],
  [{ type: S, access: [{ type: 'READ', config: {} }] }],
  [
    {
      type: S,
      accesses: [
        { type: 'READ', config: { membank: 'EPC', wordPointer: 65536, wordCounter: 256 } },
      ],
    },
  ],
  [
    {
      type: S,
      access: [{ type: 'READ', config: { membank: 'ALL', wordPointer: 0, wordCounter: 1 } }],
    },
  ],
  [
    {
      type: S,
      access: [{ type: 'WRITE', config: { membank: 'USER', wordPointer: 0, data: '12345' } }],
    },
  ],
  [{ type: S, access: [{ type: 'WRITE', config: { membank: 'USER', wordPointer: 0 } }] }],
  [
    {
      type: S,
      access: [
        {
          type: 'WRITE',
          config: { membank: 'USER', wordPointer: 0, data: '1234', blockSize: 256 },
        },
      ],
    },
  ],
  [{ type: S, access: [{ type: 'LOCK', config: {} }] }],
  [{ type: S, access: [{ type: 'LOCK', config: { actions: ['LOCK_ALL'] } }] }],
  [
    {
      type: S,
      access: [
        { type: 'LOCK', config: { actions: ['WRITE_LOCK_EPC_BANK', 'PERMALOCK_EPC_BANK'] } },
      ],
    },
  ],
  [{ type: S, access: [{ type: 'KILL', config: { password: '00000000' } }] }],
  [{ type: S, access: [{ type: 'ACCESS', config: { password: 'secret99' } }] }],
  [{ type: S, access: [{ type: 'ACCESS', config: {} }] }],
  [{ type: S, access: [[{ type: 'ACCESS', config: { password: '00000001' } }]] }],
  [{ type: S, access: Array(33).fill({ type: 'ACCESS', config: { password: '00000001' } }) }],
  [
    { type: S, access: [{ type: 'ACCESS', config: { password: '00000001' } }] },
    { hasAccess: false },
  ],
  // delayBetweenAntennaCycles
  [{ type: S, delayBetweenAntennaCycles: { type: 'ALWAYS', duration: 5 } }],
  [{ type: S, delayBetweenAntennaCycles: { type: 'DISABLED', duration: 5 } }],
  [{ type: S, delayBetweenAntennaCycles: { type: 'NO_TAGS', duration: 0 } }],
  [{ type: S, delayBetweenAntennaCycles: { type: 'NO_TAGS' } }],
  // tagMetaData
  [{ type: S, tagMetaData: 'RSSI' }],
  [{ type: S, tagMetaData: ['SPEED'] }],
  [{ type: S, tagMetaData: [7] }],
  [{ type: S, tagMetaData: [{ other: 1 }] }],
  [{ type: S, tagMetaData: [{ userDefined: 1, antennaPortNames: [] }] }],
  [{ type: S, tagMetaData: [{ antennaPortNames: ['gate'] }] }],
  [{ type: S, tagMetaData: [{ antennaNames: 'gate' }] }],
  [{ type: S, tagMetaData: ['EPC[]'] }],
  [{ type: S, tagMetaData: ['EPC[1,x]'] }],
  [{ type: S, tagMetaData: ['TID[65536]'] }],
  [{ type: S, tagMetaData: ['USER[0-255]'] }],
  [{ type: S, tagMetaData: ['USER[5-3]'] }],
  [{ type: S, tagMetaData: ['TID', 'TID[1]'] }],
  [{ type: S, tagMetaData: ['EPC[0,2,4,6,8,10,12,14,16,18,20,22,24,26,28,30,32]'] }],
  [{ type: S, tagMetaData: ['TID'] }, { hasAccess: false }],
  // radioStartConditions
  [{ type: S, radioStartConditions: {} }],
  [{ type: S, radioStartConditions: { type: 'GPI' } }],
  [{ type: S, radioStartConditions: { type: 'GPI', gpis: [{ port: 0, signal: 'UP' }] } }],
  [
    {
      type: S,
      radioStartConditions: { type: 'GPI_WITH_RESTART', gpis: [{ port: 3, signal: 'LOW' }] },
    },
  ],
  [{ type: S, radioStartConditions: { type: 'SCHEDULE' } }],
  [{ type: S, radioStartConditions: { type: 'SCHEDULE', schedule: { at: 'noon' } } }],
  [{ type: 'PORTAL', radioStartConditions: { type: 'GPI', gpis: [{ port: 1, signal: 'LOW' }] } }],
  // radioStopConditions
  [{ type: S, radioStopConditions: { duration: 0 } }],
  [{ type: S, radioStopConditions: { antennaCycles: 0, tagCount: 0 } }],
  [{ type: S, radioStopConditions: { tagCount: 5, durationAfterNoMoreUniqueTags: 1 } }],
  [{ type: S, radioStopConditions: { gpis: [{ port: 1, signal: 'LOW', debounceTime: -1 }] } }],
  [{ type: 'PORTAL', radioStopConditions: { durationAfterNoMoreUniqueTags: 1 } }],
  // reportFilter
  [{ type: 'INVENTORY', reportFilter: everyRead }],
  [
    {
      type: 'DIRECTIONALITY',
      directionalitySettings: { basicConfig: {}, advancedConfig: {} },
      reportFilter: everyRead,
    },
    beams38,
  ],
  [{ type: S, reportFilter: {} }],
  [{ type: S, reportFilter: { ...everyRead, duration: -1 } }],
  [{ type: S, reportFilter: { ...everyRead, duration: 4294967296 } }],
  [{ type: S, reportFilter: { duration: 1, type: 'PER_TAG' } }],
  // rssiFilter
  [{ type: S, rssiFilter: { threshold: -60 } }],
  [{ type: S, rssiFilter: {} }, RSSI],
  [{ type: S, rssiFilter: { threshold: 1 } }, RSSI],
  // settings of a type
  [{ type: S, inventorySettings: { interval: { value: 1, unit: 'days' } } }],
  [{ type: S, modeSpecificSettings: { interval: { value: 1, unit: 'days' } } }],
  [{ type: 'INVENTORY', portalSettings: { stopInterval: 1 } }],
  [{ type: 'INVENTORY', inventorySettings: { interval: { value: 0, unit: 'weeks' } } }],
  [{ type: 'INVENTORY', modeSpecificSettings: { interval: { value: 60000, unit: 'days' } } }],
  [{ type: 'INVENTORY', inventorySettings: {}, modeSpecificSettings: {} }],
  [{ type: 'PORTAL', portalSettings: { startTrigger: { port: 3 }, stopInterval: 0 } }],
  [{ type: 'PORTAL', modeSpecificSettings: { startTrigger: { port: 5, signal: 'ON' } } }],
  [{ type: 'DIRECTIONALITY' }],
  [{ type: 'DIRECTIONALITY' }, beams38],
];
