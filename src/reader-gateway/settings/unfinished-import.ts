/**
 * import.json: settings that are being applied. It is written before the first store changes and
 * removed after the last one: a service that was killed in between finishes at its next start, and
 * all that was imported holds, or nothing of it.
 */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
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

/** Before the stores of the service are loaded. @throws CONFIG */
export async function finishImport(stateDir: string, factory: EndpointConfig = {}): Promise<void> {
  const settings = await journal(stateDir).load();
  if (settings === undefined) return;
  const stores = await loadStores(stateDir, factory);
  await stores.changes.make((change) => writeSettings(change, stores, settings));
  await endImport(stateDir);
}
