/** Sets of numbers, as runs of them: they may be far apart. */

/** A run of numbers, both ends with it. */
export interface Range {
  first: number;
  last: number;
}

/** In their order, each as long as can be. */
export function joined(ranges: readonly Range[]): Range[] {
  const result: Range[] = [];
  for (const { first, last } of [...ranges].sort((a, b) => a.first - b.first)) {
    const before = result.at(-1);
    if (before !== undefined && first <= before.last + 1) before.last = Math.max(before.last, last);
    else result.push({ first, last });
  }
  return result;
}

export function rangesOf(numbers: Iterable<number>): Range[] {
  return joined(Array.from(numbers, (number) => ({ first: number, last: number })));
}

/** @param from Joined, as `what`. @returns What is in the one and not in the other. */
export function without(from: readonly Range[], what: readonly Range[]): Range[] {
  const result: Range[] = [];
  let at = 0;
  for (const { first, last } of from) {
    let next = first;
    while (at < what.length && (what[at] as Range).last < next) at++;
    for (let i = at; i < what.length && (what[i] as Range).first <= last; i++) {
      const gap = what[i] as Range;
      if (gap.first > next) result.push({ first: next, last: gap.first - 1 });
      next = gap.last + 1;
    }
    if (next <= last) result.push({ first: next, last });
  }
  return result;
}

/** What is in both. */
export function common(one: readonly Range[], other: readonly Range[]): Range[] {
  return without(one, without(one, other));
}

export function lengthOf(ranges: readonly Range[]): number {
  return ranges.reduce((sum, { first, last }) => sum + last - first + 1, 0);
}

/** For people: the first few, and how many there are. */
export function show(ranges: readonly Range[]): string {
  const some = ranges.slice(0, 5).map(({ first, last }) => `${first}..${last}`);
  return `${lengthOf(ranges)} numbers in ${ranges.length} places: ${some.join(', ')}`;
}
