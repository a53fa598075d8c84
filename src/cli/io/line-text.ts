/** How a line is called: `gpi 1 HIGH`. */
import { Line } from '../../contract/messages.js';

export function lineName({ kind, port }: { kind: number; port: number }): string {
  return `${kind === Line.Kind.INPUT ? 'gpi' : 'gpo'} ${port}`;
}

export function levelText(high: boolean): string {
  return high ? 'HIGH' : 'LOW';
}

export function lineText(line: { kind: number; port: number; high: boolean }): string {
  return `${lineName(line)} ${levelText(line.high)}`;
}
