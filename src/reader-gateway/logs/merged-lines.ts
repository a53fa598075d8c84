/** Lines of several logs in the order of their times. Each log is in order by itself. */
import { contentOf, type OpenedFile } from './rotated-set.js';

/** @param sets Files of each log, the oldest first. */
export async function* mergedLines(sets: readonly OpenedFile[][]): AsyncGenerator<string> {
  const all = await Promise.all(
    sets.map(async (files) => {
      const lines = linesOf(files);
      return { lines, next: await lines.next() };
    }),
  );
  for (;;) {
    const open = all.filter(({ next }) => next.done !== true);
    if (open.length === 0) return;
    const first = open.reduce((best, one) =>
      timeOf(one.next.value as string) < timeOf(best.next.value as string) ? one : best,
    );
    yield first.next.value as string;
    first.next = await first.lines.next();
  }
}

async function* linesOf(files: readonly OpenedFile[]): AsyncGenerator<string, undefined> {
  for (const file of files) {
    let rest = Buffer.alloc(0);
    for await (const chunk of contentOf(file)) {
      rest = Buffer.concat([rest, chunk]);
      for (let end = rest.indexOf('\n'); end >= 0; end = rest.indexOf('\n')) {
        yield rest.toString('utf8', 0, end + 1);
        rest = rest.subarray(end + 1);
      }
    }
    // The writer was killed in the middle of a line.
    if (rest.length > 0) yield `${rest.toString('utf8')}\n`;
  }
  return undefined;
}

/** ISO 8601 in UTC: the order of the texts is that of the times. */
function timeOf(line: string): string {
  return /"time":"([^"]*)"/.exec(line)?.[1] ?? '';
}
