/** tagMetaData: what an event says beside the tag id. */
import type { ModeType, OperatingMode } from '../api/mode.js';
import { show } from '../api/validate.js';
import type { Problems } from './problems.js';

/** What the events of a mode carry. */
export interface EventContent {
  type: ModeType;
  antenna: boolean;
  rssi: boolean;
  phase: boolean;
  channel: boolean;
  seenCount: boolean;
  pc: boolean;
  crc: boolean;
  mac: boolean;
  hostName: boolean;
  /** As configured; undefined = not in the event. */
  userDefined: unknown;
  /** Antenna port to its name. */
  antennaNames: ReadonlyMap<number, string>;
}

type Flag = Exclude<keyof EventContent, 'type' | 'userDefined' | 'antennaNames'>;

const FLAGS: Record<string, Flag> = {
  ANTENNA: 'antenna',
  RSSI: 'rssi',
  PHASE: 'phase',
  CHANNEL: 'channel',
  SEEN_COUNT: 'seenCount',
  PC: 'pc',
  CRC: 'crc',
  MAC: 'mac',
  HOSTNAME: 'hostName',
};

const UNSUPPORTED = ['XPC', 'TAGURI', 'EPCURI'];
const MEMORY_BANK = /^(EPC|TID|USER|RESERVED)(\[[0-9, -]*\])?$/;

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

/** @param everyRead True if every read is reported: only then phase and channel mean something. */
export function compileMetaData(
  mode: OperatingMode,
  antennas: readonly number[],
  everyRead: boolean,
  problems: Problems,
): EventContent {
  const content: EventContent = {
    type: mode.type,
    antenna: false,
    rssi: false,
    phase: false,
    channel: false,
    seenCount: false,
    pc: false,
    crc: false,
    mac: false,
    hostName: false,
    userDefined: undefined,
    antennaNames: new Map(),
  };
  const given = mode.tagMetaData ?? defaultMetaData(mode.type);
  given.forEach((entry, index) => {
    const field = `tagMetaData[${index}]`;
    if (typeof entry === 'string') addText(entry, field, content, problems);
    else addObject(entry, field, antennas, content, problems);
  });
  if (!everyRead) {
    content.phase = false;
    content.channel = false;
  }
  return content;
}

function addText(text: string, field: string, content: EventContent, problems: Problems): void {
  const flag = FLAGS[text];
  if (flag !== undefined) content[flag] = true;
  else if (UNSUPPORTED.includes(text) || MEMORY_BANK.test(text)) problems.unsupported(field, text);
  else problems.add(field, `${show(text)} is not one of ${Object.keys(FLAGS).join(', ')}`);
}

function addObject(
  entry: Record<string, unknown>,
  field: string,
  antennas: readonly number[],
  content: EventContent,
  problems: Problems,
): void {
  const names = entry.antennaPortNames ?? entry.antennaNames;
  if ('userDefined' in entry) {
    content.userDefined = entry.userDefined;
  } else if (names !== undefined) {
    const key = `${field}.${entry.antennaPortNames === undefined ? 'antennaNames' : 'antennaPortNames'}`;
    if (!Array.isArray(names) || names.some((name) => typeof name !== 'string')) {
      problems.add(key, 'is not an array of texts');
    } else if (problems.antennasKnown && names.length !== antennas.length) {
      problems.add(key, `has ${names.length} names for ${antennas.length} antennas`);
    } else {
      content.antennaNames = new Map(antennas.map((port, i) => [port, names[i] as string]));
    }
  } else {
    problems.add(field, `${show(entry)} has neither userDefined nor antennaPortNames`);
  }
}
