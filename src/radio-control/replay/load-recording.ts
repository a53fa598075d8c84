/** Reads a recording: a CSV file and its header. docs/recordings.md describes both. */
import { basename } from 'node:path';
import { configError } from '../../shared/errors.js';
import { findHeader } from './find-header.js';
import { readLines } from './lines.js';
import { lineParser } from './parse-line.js';
import { RecordList } from './record-list.js';

export interface Recording {
  /** Records as record.ts describes, by time, the first at 0; pc computed, crc 0. */
  records: Uint8Array;
  reads: number;
  /** Ascending. */
  antennas: number[];
  /** Text for people. */
  model: string;
  durationSeconds: number;
}

/** @throws CONFIG: one line that names the file, and the line and column if it is one of them. */
export async function loadRecording(file: string): Promise<Recording> {
  const found = await findHeader(file);
  const parse = lineParser(found);
  const list = new RecordList();
  let lineNumber = 0;
  for await (const line of readLines(found.dataFile)) {
    lineNumber++;
    if (lineNumber > found.skipLines) list.add(parse(line, lineNumber));
  }
  if (list.length === 0) throw configError(`recording ${found.dataFile} holds no read`);
  const { records, durationSeconds } = list.finish();
  return {
    records,
    reads: list.length,
    antennas: list.antennas,
    model: `recording ${basename(found.dataFile)}${found.header.model ? ` (${found.header.model})` : ''}`,
    durationSeconds,
  };
}
