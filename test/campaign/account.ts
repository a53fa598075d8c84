/** What came by one endpoint: each number with what it stood for, and what was told to be lost. */
import { crc32 } from 'node:zlib';

const ARRIVED = 1;
const TOLD = 2;

/** A run of numbers. */
export interface Range {
  first: number;
  last: number;
}

/** A connection that ended, and the last number that came by it. */
export interface Ended {
  last: number;
  /** The fault that was going on. */
  during: string;
}

export class Account {
  /** Different numbers. */
  arrived = 0;
  highest = 0;
  /** Numbers that came once more with the same content. */
  duplicates = 0;
  /** Numbers that stood for two events. */
  readonly conflicts: number[] = [];
  /** OVERFLOW events that contradict themselves, as they came. */
  readonly oddTold: string[] = [];
  /** The sum that OVERFLOW events named; a part may have been told twice. */
  lostAsTold = 0;
  readonly ended: Ended[] = [];
  #contents = new Uint32Array(1 << 16);
  #marks = new Uint8Array(1 << 16);

  constructor(readonly name: string) {}

  /** @param message An event, or a batch of them. @returns The last number in it; 0: it has none. */
  take(message: string): number {
    let last = 0;
    for (const event of [JSON.parse(message)].flat()) {
      const { eventNum, firstEventNum, lastEventNum, lost } = event.data;
      if (event.type === 'OVERFLOW') {
        const told = JSON.stringify(event);
        this.#told({ first: firstEventNum, last: lastEventNum }, lost, told);
      } else this.#event(eventNum, crc32(JSON.stringify(event)));
      last = eventNum;
    }
    return last;
  }

  #event(number: number, content: number): void {
    this.#room(number);
    if (((this.#marks[number] ?? 0) & ARRIVED) === 0) {
      this.arrived++;
      this.#contents[number] = content;
    } else if (this.#contents[number] === content) this.duplicates++;
    else this.conflicts.push(number);
    this.#mark({ first: number, last: number }, ARRIVED);
  }

  #told(range: Range, lost: number, text: string): void {
    const { first, last } = range;
    if (!(first >= 1 && last >= first && lost >= 0 && lost <= last - first + 1)) {
      this.oddTold.push(text);
      return;
    }
    this.#room(last);
    this.#mark(range, TOLD);
    this.lostAsTold += lost;
  }

  #mark({ first, last }: Range, mark: number): void {
    for (let number = first; number <= last; number++) {
      this.#marks[number] = (this.#marks[number] ?? 0) | mark;
    }
    this.highest = Math.max(this.highest, last);
  }

  #room(number: number): void {
    if (number < this.#marks.length) return;
    const marks = new Uint8Array(2 * number);
    marks.set(this.#marks);
    this.#marks = marks;
    const contents = new Uint32Array(2 * number);
    contents.set(this.#contents);
    this.#contents = contents;
  }

  /** Numbers that were told to be lost, and did not arrive. */
  get told(): number {
    return lengthOf(this.#rangesWith(TOLD));
  }

  /** Numbers that neither arrived nor were told. */
  get missing(): Range[] {
    return this.#rangesWith(0);
  }

  /** Numbers that were told to be lost, and arrived. */
  get toldWrongly(): Range[] {
    return this.#rangesWith(ARRIVED | TOLD);
  }

  #rangesWith(mark: number): Range[] {
    const ranges: Range[] = [];
    let open: Range | undefined;
    for (let number = 1; number <= this.highest; number++) {
      if (this.#marks[number] !== mark) open = undefined;
      else if (open === undefined) {
        open = { first: number, last: number };
        ranges.push(open);
      } else open.last = number;
    }
    return ranges;
  }
}

export function lengthOf(ranges: readonly Range[]): number {
  return ranges.reduce((sum, { first, last }) => sum + last - first + 1, 0);
}

/** For people: the first few, and how many there are. */
export function show(ranges: readonly Range[]): string {
  const some = ranges.slice(0, 5).map(({ first, last }) => `${first}..${last}`);
  return `${lengthOf(ranges)} numbers in ${ranges.length} places: ${some.join(', ')}`;
}
