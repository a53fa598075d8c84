/** select, and the prefix of tagIdFilter: the Select commands in front of each round. */
import { Bank, type SelectInput, Select as SelectMessage } from '../../contract/messages.js';
import type { ReaderModel } from '../../shared/reader-model/reader-model.js';
import type { OperatingMode, Select } from '../api/mode.js';
import { listPerAntenna, type Problems } from './problems.js';
import type { RadioFacts } from './radio-facts.js';

/** In the order of Gen2's actions 0..7: what matching tags do, then all others. */
export const SL_ACTIONS = [
  'ASSERTSL_DEASSERTSL',
  'ASSERTSL_NOTHING',
  'NOTHING_DEASSERTSL',
  'NEGATESL_NOTHING',
  'DEASSERTSL_ASSERTSL',
  'DEASSERTSL_NOTHING',
  'NOTHING_ASSERTSL',
  'NOTHING_NEGATESL',
] as const;
export const SESSION_ACTIONS = [
  'INVA_INVB',
  'INVA_NOTHING',
  'NOTHING_INVB',
  'FLIPAB_NOTHING',
  'INVB_INVA',
  'INVB_NOTHING',
  'NOTHING_INVA',
  'NOTHING_FLIPAB',
] as const;

const BANKS: Readonly<Record<Select['membank'], number>> = {
  RES: Bank.BANK_RESERVED,
  RESERVED: Bank.BANK_RESERVED,
  EPC: Bank.BANK_EPC,
  TID: Bank.BANK_TID,
  USER: Bank.BANK_USER,
};
const TARGETS: Readonly<Record<Select['target'], number>> = {
  S0: SelectMessage.Target.TARGET_S0,
  S1: SelectMessage.Target.TARGET_S1,
  S2: SelectMessage.Target.TARGET_S2,
  S3: SelectMessage.Target.TARGET_S3,
  SL: SelectMessage.Target.TARGET_SL,
};
/** Where the EPC begins in its bank, bits. */
const EPC_POINTER = 32;
const MAX_MASK_BYTES = 31;

export function compileSelects(
  mode: OperatingMode,
  count: number,
  radio: RadioFacts,
  model: ReaderModel,
  problems: Problems,
): SelectInput[][] {
  const filter = mode.tagIdFilter?.match === 'prefix' ? mode.tagIdFilter : undefined;
  const given = mode.select ?? [];
  if (filter !== undefined && given.length > 0) {
    problems.add('select', 'cannot be set together with a prefix filter');
  }
  if (given.length > 0 && !radio.hasSelects) problems.add('select', 'the radio has no Selects');
  if (filter !== undefined) {
    if (!radio.hasSelects) return Array.from({ length: count }, () => []);
    const selects = selectPrefix(filter.value, filter.operation === 'exclude');
    return Array.from({ length: count }, () => selects);
  }
  return listPerAntenna(given, count, 'select', problems, (list, field) => {
    if (list.length > model.maxPreFilters) {
      problems.add(field, `has ${list.length} entries; allowed: at most ${model.maxPreFilters}`);
    }
    return list.map((one, i) => toSelect(one, `${field}[${i}]`, problems));
  });
}

/**
 * SL of the tags whose EPC begins so, and of no other, or the reverse; in as many steps as the mask
 * takes. Never asked for by Sel ~SL, which not every radio module has.
 */
function selectPrefix(digits: string, exclude: boolean): SelectInput[] {
  // The first sets SL of all tags, each further one mends it of those that do not match.
  const [first, further] = exclude
    ? (['DEASSERTSL_ASSERTSL', 'NOTHING_ASSERTSL'] as const)
    : (['ASSERTSL_DEASSERTSL', 'NOTHING_DEASSERTSL'] as const);
  const bytes = Buffer.from(digits, 'hex');
  const selects: SelectInput[] = [];
  for (let at = 0; at < bytes.length; at += MAX_MASK_BYTES) {
    const mask = bytes.subarray(at, at + MAX_MASK_BYTES);
    selects.push({
      target: SelectMessage.Target.TARGET_SL,
      action: SL_ACTIONS.indexOf(at === 0 ? first : further),
      bank: Bank.BANK_EPC,
      pointer: EPC_POINTER + at * 8,
      length: mask.length * 8,
      mask,
      truncate: false,
    });
  }
  return selects;
}

function toSelect(select: Select, field: string, problems: Problems): SelectInput {
  const { target, action, membank, pointer, length, mask, truncate = 0 } = select;
  const actions: readonly string[] = target === 'SL' ? SL_ACTIONS : SESSION_ACTIONS;
  if (!actions.includes(action)) {
    const names = actions.join(', ');
    problems.add(`${field}.action`, `${action} is not one of ${names} with target ${target}`);
  }
  if (mask.length * 4 < length) {
    problems.add(`${field}.mask`, `has ${mask.length * 4} bits; length asks for ${length}`);
  }
  if (truncate !== 0 && (target !== 'SL' || membank !== 'EPC' || pointer < EPC_POINTER)) {
    problems.add(
      `${field}.truncate`,
      `${truncate} needs target SL, membank EPC and a pointer of at least ${EPC_POINTER}`,
    );
  }
  return {
    target: TARGETS[target],
    action: Math.max(0, actions.indexOf(action)),
    bank: BANKS[membank],
    pointer,
    length,
    mask: Buffer.from(mask, 'hex').subarray(0, 32),
    truncate: truncate !== 0,
  };
}
