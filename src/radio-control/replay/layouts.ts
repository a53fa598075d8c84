/** Layouts of recordings without a header, known by their number of columns. Data: layouts/. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PACKAGE_ROOT } from '../../shared/package-info.js';
import type { RecordingHeader } from './header-schema.js';

const FOLDER = join(PACKAGE_ROOT, 'src/radio-control/replay/layouts');

function layouts(): RecordingHeader[] {
  return readdirSync(FOLDER)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => JSON.parse(readFileSync(join(FOLDER, name), 'utf8')));
}

export function layoutOf(numberOfColumns: number): RecordingHeader | undefined {
  return layouts().find((layout) => layout.numberOfColumns === numberOfColumns);
}

export function layoutSizes(): number[] {
  return layouts().map((layout) => layout.numberOfColumns as number);
}
