/** The table of `singulate io`: a pure function of what is known and the size of the terminal. */
import { type Canvas, type Line, line, paint } from '../live/render.js';
import type { WatchedLine, WatchedRadio } from './io-watch.js';
import { levelText, lineName } from './line-text.js';

export interface IoModel {
  stateDir: string;
  radio: WatchedRadio;
  fault: string;
  lines: readonly WatchedLine[];
}

/** At most `rows` lines of at most `columns` characters, without line ends. */
export function renderIo(model: IoModel, canvas: Canvas): string[] {
  const { radio, fault, lines, stateDir } = model;
  const known = radio !== 'not connected';
  const rows: Line[] = [
    line(`radio ${radio} · ${stateDir}`, known ? 'title' : 'bad'),
    ...(fault === '' ? [] : [line(fault, 'bad')]),
    line('line     level   changes   last change', 'dim'),
    ...lines.map((one) => line(row(one), known && one.high ? 'good' : known ? 'plain' : 'dim')),
  ];
  return rows.slice(0, Math.max(0, canvas.rows)).map((one) => paint(one, canvas));
}

function row(one: WatchedLine): string {
  const { high, changes, changedMs } = one;
  const when = changedMs === undefined ? '-' : clockTime(changedMs);
  const name = lineName(one).padEnd(9);
  return `${name}${levelText(high).padEnd(8)}${String(changes).padStart(7)}   ${when}`;
}

/** Of the terminal's day: 07:05:09.042 */
function clockTime(ms: number): string {
  const date = new Date(ms);
  const two = (n: number) => String(n).padStart(2, '0');
  const thousandths = String(date.getMilliseconds()).padStart(3, '0');
  return `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}.${thousandths}`;
}
