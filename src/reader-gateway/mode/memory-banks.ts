/** Memory banks in tagMetaData: `TID`, `EPC[1,3-5]`. */
import { show } from '../api/validate.js';
import { BANKS } from './access.js';
import type { Problems } from './problems.js';

export type BankName = keyof typeof BANKS;

/** The contract's MemoryRead. */
export interface MemoryReadPlan {
  bank: number;
  wordPointer: number;
  /** 0 = to the end of the bank. */
  wordCount: number;
}

export interface BankReads {
  /** Key of the event. */
  name: BankName;
  /** In the order in which their words are reported. */
  reads: MemoryReadPlan[];
}

const MAX_WORD = 65_535;
/** The span (Y - X) of a range must be below it. */
const MAX_SPAN = 255;
const WHOLE = /^(RESERVED|EPC|TID|USER)$/;
const PART = /^(RESERVED|EPC|TID|USER)\[([^\]]*)\]$/;

/** @returns undefined if the text names no memory bank. Wrong ranges are problems. */
export function compileBank(
  text: string,
  field: string,
  problems: Problems,
): BankReads | undefined {
  const whole = WHOLE.exec(text);
  if (whole !== null) {
    const name = whole[1] as BankName;
    return { name, reads: [{ bank: BANKS[name], wordPointer: 0, wordCount: 0 }] };
  }
  const part = PART.exec(text);
  if (part === null) return undefined;
  const name = part[1] as BankName;
  const reads: MemoryReadPlan[] = [];
  for (const range of (part[2] as string).split(',')) {
    const read = compileRange(name, range.trim(), text, field, problems);
    if (read !== undefined) reads.push(read);
  }
  return { name, reads };
}

function compileRange(
  name: BankName,
  range: string,
  text: string,
  field: string,
  problems: Problems,
): MemoryReadPlan | undefined {
  const found = /^(\d{1,9})(?:\s*-\s*(\d{1,9}))?$/.exec(range);
  if (found === null) {
    problems.add(field, `${show(range)} in ${text} is not a word X or a range X-Y of words`);
    return undefined;
  }
  const first = Number(found[1]);
  const last = found[2] === undefined ? first : Number(found[2]);
  if (first > MAX_WORD || last > MAX_WORD) {
    problems.add(field, `${range} in ${text} is not within the words 0 to ${MAX_WORD}`);
  } else if (last < first) {
    problems.add(field, `${range} in ${text} ends before it begins`);
  } else if (last - first >= MAX_SPAN) {
    problems.add(
      field,
      `${range} in ${text} spans ${last - first}; allowed: less than ${MAX_SPAN}`,
    );
  } else {
    return { bank: BANKS[name], wordPointer: first, wordCount: last - first + 1 };
  }
  return undefined;
}
