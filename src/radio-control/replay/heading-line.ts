/** Heading lines with column names that say everything: the quantity and its unit. */
import { COLUMN_NAMES, type ColumnName, type RecordingHeader } from './header-schema.js';

/** Names by quantity; the part after the underscore is the unit. Letter case does not matter. */
const NAMES: Record<ColumnName, Record<string, string | undefined>> = {
  time: { time_s: 's', time_ms: 'ms', time_us: 'us', time_ns: 'ns' },
  antenna: { antenna: undefined },
  epc: { epc: undefined },
  rssi: { rssi_dbm: 'dBm', rssi_cdbm: 'cdBm' },
  phase: { phase_rad: 'rad', phase_deg: 'deg' },
  frequency: { frequency_mhz: 'MHz', frequency_khz: 'kHz' },
};

export const KNOWN_NAMES = Object.values(NAMES).flatMap((names) => Object.keys(names));

/** A line of which at least one cell is a known name and none is a number. */
export function isHeadingLine(cells: readonly string[]): boolean {
  const known = cells.some((cell) => KNOWN_NAMES.includes(cell.toLowerCase()));
  return known && !cells.some((cell) => cell !== '' && Number.isFinite(Number(cell)));
}

/** Throws an Error that says which quantity has no column, or more than one. */
export function headerOfHeadingLine(cells: readonly string[]): RecordingHeader {
  const columns: Record<string, { column: number; unit?: string }> = {};
  for (const quantity of COLUMN_NAMES) {
    const names = Object.keys(NAMES[quantity]);
    const found = cells.flatMap((cell, i) => (names.includes(cell.toLowerCase()) ? [i] : []));
    const [index] = found;
    if (index === undefined || found.length > 1) {
      const fault = index === undefined ? 'names no column' : 'names more than one column';
      throw new Error(`the heading ${fault} for ${quantity}; allowed: one of ${names.join(', ')}`);
    }
    const unit = NAMES[quantity][(cells[index] as string).toLowerCase()];
    columns[quantity] = { column: index + 1, ...(unit === undefined ? {} : { unit }) };
  }
  return {
    headingLine: true,
    numberOfColumns: cells.length,
    columns,
  } as unknown as RecordingHeader;
}
