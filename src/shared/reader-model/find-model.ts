/** Which reader model this is. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PACKAGE_ROOT } from '../package-info.js';
import type { ReaderModel } from './reader-model.js';

const FOLDER = join(PACKAGE_ROOT, 'src/shared/reader-model/models');
const loaded = new Map<string, ReaderModel>();

export function modelNames(): string[] {
  return readdirSync(FOLDER)
    .filter((name) => name.endsWith('.json'))
    .map((name) => name.slice(0, -'.json'.length))
    .sort();
}

/** @param name One of modelNames(). */
export function loadModel(name: string): ReaderModel {
  let model = loaded.get(name);
  if (model === undefined) {
    model = JSON.parse(readFileSync(join(FOLDER, `${name}.json`), 'utf8')) as ReaderModel;
    loaded.set(name, model);
  }
  return model;
}

/** The model that a radio says, or the smallest that has its antennas. */
export function modelOf(radio: {
  readerModel: string;
  antennas: readonly number[];
  beams: readonly number[];
}): ReaderModel {
  if (radio.readerModel !== '' && modelNames().includes(radio.readerModel)) {
    return loadModel(radio.readerModel);
  }
  if (radio.beams.some((beams) => beams > 0)) return loadModel('array-38');
  return loadModel(radio.antennas.every((port) => port <= 4) ? 'fixed-4' : 'fixed-8');
}
