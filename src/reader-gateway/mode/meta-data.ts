/** tagMetaData: what an event says beside the tag id. */
import type { ModeType, OperatingMode } from '../api/mode.js';
import { show } from '../api/validate.js';
import type { AccessPlan } from './access.js';
import { type BankReads, compileBank, type MemoryReadPlan } from './memory-banks.js';
import type { Problems } from './problems.js';
import type { RadioFacts } from './radio-facts.js';
import type { Visit } from './visits.js';

/** What the events of a mode carry. */
export interface EventContent {
  type: ModeType;
  antenna: boolean;
  rssi: boolean;
  phase: boolean;
  channel: boolean;
  seenCount: boolean;
  pc: boolean;
  xpc: boolean;
  crc: boolean;
  mac: boolean;
  hostName: boolean;
  tagUri: boolean;
  epcUri: boolean;
  /** As configured; undefined = not in the event. */
  userDefined: unknown;
  /** Antenna, as the interface numbers it, to its name. */
  antennaNames: ReadonlyMap<number, string>;
  /** The beams of an array-type reader are its antennas. */
  byBeam: boolean;
  /** Which of TagRead.memory make up a bank, in the order of the event's keys. */
  banks: readonly { name: BankReads['name']; from: number; count: number }[];
  /** Antenna to its access commands: their types, and how many of TagRead.access each has. */
  access: ReadonlyMap<number, readonly { type: AccessPlan['type']; count: number }[]>;
}

type Flag =
  | 'antenna'
  | 'rssi'
  | 'phase'
  | 'channel'
  | 'seenCount'
  | 'pc'
  | 'xpc'
  | 'crc'
  | 'mac'
  | 'hostName'
  | 'tagUri'
  | 'epcUri';

const FLAGS: Record<string, Flag> = {
  ANTENNA: 'antenna',
  RSSI: 'rssi',
  PHASE: 'phase',
  CHANNEL: 'channel',
  SEEN_COUNT: 'seenCount',
  PC: 'pc',
  XPC: 'xpc',
  CRC: 'crc',
  MAC: 'mac',
  HOSTNAME: 'hostName',
  TAGURI: 'tagUri',
  EPCURI: 'epcUri',
};

const BANK_NAMES = ['EPC', 'TID', 'USER', 'RESERVED'] as const;
const MAX_READS = 16;

const DEFAULTS: Record<ModeType, readonly string[]> = {
  SIMPLE: [],
  CUSTOM: [],
  INVENTORY: ['ANTENNA', 'RSSI', 'SEEN_COUNT'],
  PORTAL: ['ANTENNA'],
  CONVEYOR: ['ANTENNA'],
  DIRECTIONALITY: [],
};

export function defaultMetaData(type: ModeType): readonly string[] {
  return DEFAULTS[type];
}

export interface CompiledMetaData {
  content: EventContent;
  memory: MemoryReadPlan[];
}

/** @param everyRead True if every read is reported: only then phase and channel mean something. */
export function compileMetaData(
  mode: OperatingMode,
  visits: readonly Visit[],
  access: readonly AccessPlan[][],
  everyRead: boolean,
  radio: RadioFacts,
  problems: Problems,
): CompiledMetaData {
  const collected = new Collected(mode.type, visits, access);
  const given = mode.tagMetaData ?? defaultMetaData(mode.type);
  given.forEach((entry, index) => {
    const field = `tagMetaData[${index}]`;
    if (typeof entry === 'string') addText(entry, field, collected, problems);
    else addObject(entry, field, visits, collected, problems);
  });
  const result = collected.finish(everyRead);
  if (result.memory.length > 0 && !radio.hasAccess) {
    problems.add('tagMetaData', 'the radio cannot read the memory of tags');
  }
  if (result.memory.length > MAX_READS) {
    problems.add(
      'tagMetaData',
      `asks for ${result.memory.length} ranges of memory; allowed: at most ${MAX_READS}`,
    );
  }
  return result;
}

class Collected {
  readonly flags = new Set<Flag>();
  readonly banks = new Map<BankReads['name'], BankReads>();
  userDefined: unknown;
  antennaNames: ReadonlyMap<number, string> = new Map();

  constructor(
    private readonly type: ModeType,
    private readonly visits: readonly Visit[],
    private readonly access: readonly AccessPlan[][],
  ) {}

  finish(everyRead: boolean): CompiledMetaData {
    const has = (flag: Flag) => this.flags.has(flag);
    const memory: MemoryReadPlan[] = [];
    const banks = BANK_NAMES.flatMap((name) => {
      const bank = this.banks.get(name);
      if (bank === undefined) return [];
      const from = memory.length;
      memory.push(...bank.reads);
      return [{ name, from, count: bank.reads.length }];
    });
    return {
      memory,
      content: {
        type: this.type,
        antenna: has('antenna'),
        rssi: has('rssi'),
        phase: has('phase') && everyRead,
        channel: has('channel') && everyRead,
        seenCount: has('seenCount'),
        pc: has('pc'),
        xpc: has('xpc'),
        crc: has('crc'),
        mac: has('mac'),
        hostName: has('hostName'),
        tagUri: has('tagUri'),
        epcUri: has('epcUri'),
        userDefined: this.userDefined,
        antennaNames: this.antennaNames,
        byBeam: this.visits.some(({ beam }) => beam > 0),
        banks,
        access: new Map(
          this.visits.map(({ number }, index) => [
            number,
            (this.access[index] ?? []).map(({ type, operations }) => ({
              type,
              count: operations.length,
            })),
          ]),
        ),
      },
    };
  }
}

function addText(text: string, field: string, to: Collected, problems: Problems): void {
  const flag = Object.hasOwn(FLAGS, text) ? FLAGS[text] : undefined;
  if (flag !== undefined) {
    to.flags.add(flag);
    return;
  }
  const bank = compileBank(text, field, problems);
  if (bank === undefined) {
    const names = [...Object.keys(FLAGS), ...BANK_NAMES].join(', ');
    problems.add(field, `${show(text)} is not one of ${names}, or a bank with words: EPC[1,3-5]`);
  } else if (to.banks.has(bank.name)) {
    problems.add(field, `${bank.name} is listed twice`);
  } else {
    to.banks.set(bank.name, bank);
  }
}

function addObject(
  entry: Record<string, unknown>,
  field: string,
  visits: readonly Visit[],
  to: Collected,
  problems: Problems,
): void {
  const names = entry.antennaPortNames ?? entry.antennaNames;
  if (Object.keys(entry).length > 1) {
    problems.add(field, `${show(entry)} has more than one key`);
  } else if (Object.hasOwn(entry, 'userDefined')) {
    to.userDefined = entry.userDefined;
  } else if (names !== undefined) {
    const key = `${field}.${entry.antennaPortNames === undefined ? 'antennaNames' : 'antennaPortNames'}`;
    if (!Array.isArray(names) || names.some((name) => typeof name !== 'string')) {
      problems.add(key, 'is not an array of texts');
    } else if (problems.antennasKnown && names.length !== visits.length) {
      problems.add(key, `has ${names.length} names for ${visits.length} antennas`);
    } else {
      to.antennaNames = new Map(visits.map(({ number }, i) => [number, names[i] as string]));
    }
  } else {
    problems.add(field, `${show(entry)} has neither userDefined nor antennaPortNames`);
  }
}
