/** Compiles a header into a parser of lines. */
import { basename } from 'node:path';
import { configError, errorMessage } from '../../shared/errors.js';
import {
  antennaPort,
  epcBytes,
  epcOfName,
  frequencyKhz,
  nanoseconds,
  phaseCdeg,
  rssiCdbm,
} from './cells.js';
import type { Found } from './find-header.js';
import type { ColumnName } from './header-schema.js';
import { splitLine } from './lines.js';

export interface Read {
  timeNs: bigint;
  antenna: number;
  epc: Uint8Array;
  rssiCdbm: number;
  phaseCdeg: number;
  frequencyKhz: number;
}

type Field<T> = (cells: string[]) => T;

/** A fault in one cell. */
class CellError extends Error {
  constructor(
    readonly index: number,
    readonly quantity: string,
    message: string,
  ) {
    super(message);
  }
}

/** Throws CONFIG: a column that does not exist, a constant out of range. */
export function lineParser(found: Found): (line: string, lineNumber: number) => Read {
  const { header, dataFile, heading } = found;
  const { time, antenna, epc, rssi, phase, frequency } = header.columns;
  let width = header.numberOfColumns ?? heading?.length;

  const fromCell = <T>(
    quantity: ColumnName,
    column: number | string,
    convert: (cell: string) => T,
  ): Field<T> => {
    const index = columnIndex(found, quantity, column);
    return (cells) => {
      const cell = cells[index];
      if (cell === undefined) throw new CellError(index, quantity, 'is missing');
      try {
        return convert(cell);
      } catch (error) {
        throw new CellError(index, quantity, errorMessage(error));
      }
    };
  };
  const constant = <T>(quantity: ColumnName, make: () => T): Field<T> => {
    let value: T;
    try {
      value = make();
    } catch (error) {
      throw configError(
        `recording ${found.headerAt}: header: columns.${quantity}: ${errorMessage(error)}`,
      );
    }
    return () => value;
  };
  const field = <T>(
    quantity: ColumnName,
    source: { column?: number | string | undefined; value?: number | undefined },
    convert: (cell: string) => T,
  ): Field<T> =>
    source.column === undefined
      ? constant(quantity, () => convert(String(source.value)))
      : fromCell(quantity, source.column, convert);

  const timeOf = field('time', time, (cell) => nanoseconds(cell, time.unit));
  const antennaOf = field('antenna', antenna, antennaPort);
  const epcOf =
    epc.column === undefined
      ? constant('epc', () => epcOfName(basename(dataFile)))
      : fromCell('epc', epc.column, epcBytes);
  const rssiOf = field('rssi', rssi, (cell) => rssiCdbm(cell, rssi.unit));
  const phaseOf = field('phase', phase, (cell) => phaseCdeg(cell, phase.unit));
  const frequencyOf = field('frequency', frequency, (cell) => frequencyKhz(cell, frequency.unit));

  return (line, lineNumber) => {
    const at = `recording ${dataFile}, line ${lineNumber}`;
    const quote = line.indexOf('"');
    if (quote >= 0) {
      const column = line.slice(0, quote).split(',').length;
      throw configError(`${at}, column ${column}: a quote; allowed: plain fields without quotes`);
    }
    if (line.trim() === '') throw configError(`${at}: the line is empty; allowed: one read a line`);
    const cells = splitLine(line);
    width ??= cells.length;
    if (cells.length !== width) {
      const column = Math.min(cells.length, width) + (cells.length > width ? 1 : 0);
      throw configError(
        `${at}, column ${column}: ${cells.length} columns given; allowed: ${width}`,
      );
    }
    try {
      return {
        timeNs: timeOf(cells),
        antenna: antennaOf(cells),
        epc: epcOf(cells),
        rssiCdbm: rssiOf(cells),
        phaseCdeg: phaseOf(cells),
        frequencyKhz: frequencyOf(cells),
      };
    } catch (error) {
      if (!(error instanceof CellError)) throw error;
      throw configError(`${at}, column ${error.index + 1} (${error.quantity}): ${error.message}`);
    }
  };
}

/** From 0. */
function columnIndex(found: Found, quantity: string, column: number | string): number {
  const { heading, header, headerAt, dataFile } = found;
  const at = `recording ${headerAt}: header: columns.${quantity}.column`;
  if (typeof column === 'number') {
    const width = header.numberOfColumns ?? heading?.length;
    if (width !== undefined && column > width) {
      throw configError(`${at}: ${column} given; allowed: 1..${width}`);
    }
    return column - 1;
  }
  const index = heading?.indexOf(column) ?? -1;
  if (index < 0) {
    const names = heading?.join(', ');
    throw configError(`${at}: "${column}" given; allowed: ${names} (heading of ${dataFile})`);
  }
  return index;
}
