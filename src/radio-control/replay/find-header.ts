/** Finds the header of a recording: docs/recordings.md names the places and their order. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { configError, errorMessage, type Violation } from '../../shared/errors.js';
import { faultsLine, findFaults } from '../scenario/check-schema.js';
import { RecordingHeader } from './header-schema.js';
import { headerOfHeadingLine, isHeadingLine } from './heading-line.js';
import { layoutOf, layoutSizes } from './layouts.js';
import { firstLines, splitLine } from './lines.js';

export interface Found {
  header: RecordingHeader;
  /** Where the header was found, for messages. */
  headerAt: string;
  /** The CSV file. */
  dataFile: string;
  /** Lines before the first read. */
  skipLines: number;
  /** Names of the columns, if the file has a heading line. */
  heading?: string[];
}

/** Throws CONFIG. */
export async function findHeader(file: string): Promise<Found> {
  if (file.endsWith('.json')) return headerWithFile(file);
  const sidecar = `${file}.json`;
  if (existsSync(sidecar)) {
    const header = checked(await readJson(sidecar), sidecar);
    if (header.file !== undefined) {
      throw faulty(sidecar, [
        { field: 'file', message: 'allowed only in a header that is itself replayed' },
      ]);
    }
    return withHeading(header, sidecar, file, 0);
  }
  const [first] = await firstLines(file, 1);
  if (first === undefined) throw configError(`recording ${file} is empty`);
  if (/^#\s*\{/.test(first)) {
    const at = `${file}, line 1`;
    const header = checked(parse(first.slice(1), at), at);
    if (header.file !== undefined) {
      throw faulty(at, [{ field: 'file', message: 'allowed only in a header file of its own' }]);
    }
    return withHeading(header, at, file, 1);
  }
  return withoutHeader(file, splitLine(first));
}

async function headerWithFile(file: string): Promise<Found> {
  const header = checked(await readJson(file), file);
  if (header.file === undefined) {
    throw faulty(file, [{ field: 'file', message: 'is missing; allowed: the path of a CSV file' }]);
  }
  return withHeading(header, file, resolve(dirname(file), header.file), 0);
}

function withoutHeader(file: string, cells: string[]): Found {
  if (isHeadingLine(cells)) {
    try {
      const header = headerOfHeadingLine(cells);
      return { header, headerAt: `${file}, line 1`, dataFile: file, skipLines: 1, heading: cells };
    } catch (error) {
      throw configError(
        `recording ${file}, line 1: ${errorMessage(error)} (or a header ${file}.json)`,
      );
    }
  }
  const header = layoutOf(cells.length);
  if (header === undefined) {
    throw configError(
      `recording ${file} has ${cells.length} columns and no header; without a header, allowed: ` +
        `${layoutSizes().join(', ')} columns (else write ${file}.json, see docs/recordings.md)`,
    );
  }
  return { header, headerAt: 'built-in layout', dataFile: file, skipLines: 0 };
}

async function withHeading(
  header: RecordingHeader,
  headerAt: string,
  dataFile: string,
  linesBefore: number,
): Promise<Found> {
  const found = { header, headerAt, dataFile, skipLines: linesBefore };
  const named = Object.values(header.columns).some(
    (c) => 'column' in c && typeof c.column === 'string',
  );
  if (!named && header.headingLine !== true) return found;
  const line = (await firstLines(dataFile, linesBefore + 1))[linesBefore];
  if (line === undefined) throw configError(`recording ${dataFile} has no heading line`);
  return { ...found, skipLines: linesBefore + 1, heading: splitLine(line) };
}

async function readJson(file: string): Promise<unknown> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    throw configError(`recording ${file} cannot be read: ${errorMessage(error)}`);
  }
  return parse(text, file);
}

function parse(text: string, at: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const reason = errorMessage(error).replaceAll('\n', ' ');
    throw configError(`recording ${at}: the header is not JSON: ${reason}`);
  }
}

function checked(value: unknown, at: string): RecordingHeader {
  const faults = findFaults(RecordingHeader, value);
  const header = value as RecordingHeader;
  if (faults.length === 0) {
    for (const [name, column] of Object.entries(header.columns))
      faults.push(...oneSource(name, column));
  }
  if (faults.length > 0) throw faulty(at, faults);
  return header;
}

/** A quantity comes from exactly one place. */
function oneSource(name: string, column: object): Violation[] {
  const allowed = { time: ['column'], epc: ['column', 'fromFileName'] }[name] ?? [
    'column',
    'value',
  ];
  const given = allowed.filter((key) => key in column);
  if (given.length === 1) return [];
  const message = `${given.join(' and ') || 'nothing'} given; allowed: ${allowed.join(' or ')}`;
  return [{ field: `columns.${name}`, message }];
}

function faulty(at: string, faults: Violation[]): Error {
  return configError(faultsLine('recording', `${at}: header`, faults));
}
