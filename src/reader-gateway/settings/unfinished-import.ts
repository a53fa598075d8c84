/**
 * import.json: settings that are being applied. It is written before the first store changes and
 * removed after the last one: a service that was killed in between finishes at its next start, and
 * all that was imported holds, or nothing of it.
 */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { errorMessage, isSingulateError } from '../../shared/errors.js';
import type { StateFaults } from '../../shared/state-faults.js';
import { StateFile } from '../../shared/state-file.js';
import type { EndpointConfig } from '../api/config.js';
import { ReaderSettings } from '../api/reader-settings.js';
import { assertValid } from '../api/validate.js';
import { loadStores, writeSettings } from './stores.js';

const NAME = 'import.json';

function journal(stateDir: string): StateFile<ReaderSettings> {
  return new StateFile(join(stateDir, NAME), (value) => {
    assertValid(ReaderSettings, value);
    return value as ReaderSettings;
  });
}

/** @param settings Checked, without masks: from here on they will hold. */
export async function beginImport(stateDir: string, settings: ReaderSettings): Promise<void> {
  const { formatVersion: _, ...parts } = settings;
  await journal(stateDir).save(parts);
}

/** All stores have what was imported, or again what they had before. */
export async function endImport(stateDir: string): Promise<void> {
  await rm(join(stateDir, NAME), { force: true });
}

/**
 * Before the stores of the service are loaded.
 * @param faults Takes an import that cannot be finished, and files that cannot be used. One that is
 * damaged, or has become wrong, is set aside; one that the disk does not take goes on with the next
 * start. Left out: these are errors.
 * @throws CONFIG
 */
export async function finishImport(
  stateDir: string,
  factory: EndpointConfig = {},
  faults?: StateFaults,
): Promise<void> {
  const file = journal(stateDir);
  const settings = await (faults?.load(file) ?? file.load());
  try {
    if (settings === undefined) return await faults?.moveAside(file.path);
    const stores = await loadStores(stateDir, factory, faults === undefined ? {} : { faults });
    await stores.changes.make((change) => writeSettings(change, stores, settings));
    await endImport(stateDir);
  } catch (error) {
    if (faults === undefined) throw error;
    faults.add(file.path, `the import is not finished: ${errorMessage(error)}`);
    if (isSingulateError(error, 'INVALID')) await faults.moveAside(file.path, true);
  }
}
