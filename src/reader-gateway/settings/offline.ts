/** Settings in the state folder of a reader whose services do not run. */
import { invalid, type Violation } from '../../shared/errors.js';
import type { ReaderSettings } from '../api/reader-settings.js';
import { maskSecrets } from '../state/secrets.js';
import {
  configProblems,
  currentSettings,
  endpointProblems,
  modeProblems,
  settingsProblems,
  violationsIn,
} from './check-settings.js';
import { finishReset, requestReset } from './factory-reset.js';
import { loadStores, resolved, settingsOf } from './stores.js';
import { beginImport, finishImport } from './unfinished-import.js';

const CONFIG_KEYS: readonly string[] = ['xml', 'GPIO-LED', 'READER-GATEWAY'];

export interface CheckedFile {
  /** What it was taken for. */
  kind: 'settings' | 'reader configuration' | 'cloud configuration' | 'operating mode';
  problems: Violation[];
}

/** A file of settings, or a body of PUT /cloud/config, /cloud/cloudConfig or /cloud/mode. */
export function checkFile(content: unknown): CheckedFile {
  const keys = typeof content === 'object' && content !== null ? Object.keys(content) : [];
  const only = (allowed: readonly string[]) =>
    keys.length > 0 && keys.every((key) => allowed.includes(key));
  if (only(CONFIG_KEYS)) return { kind: 'reader configuration', problems: configProblems(content) };
  if (only(['endpointConfig'])) {
    const { endpointConfig } = content as { endpointConfig: unknown };
    return { kind: 'cloud configuration', problems: endpointProblems(endpointConfig) };
  }
  if (keys.includes('type') && !keys.includes('mode')) {
    return { kind: 'operating mode', problems: modeProblems(content) };
  }
  try {
    return { kind: 'settings', problems: settingsProblems(currentSettings(content)) };
  } catch (error) {
    return { kind: 'settings', problems: violationsIn(error) };
  }
}

/** @throws CONFIG for a state folder that is not right. */
export async function exportFromState(
  stateDir: string,
  withSecrets: boolean,
): Promise<ReaderSettings> {
  const settings = settingsOf(await loadStores(stateDir));
  return withSecrets ? settings : maskSecrets(settings);
}

/** Whole or not at all. What only the radio knows shows when it starts. @throws INVALID, CONFIG */
export async function importIntoState(stateDir: string, given: unknown): Promise<void> {
  const file = currentSettings(given);
  const wrong = settingsProblems(file);
  if (wrong.length > 0) throw invalid(wrong);
  await finishImport(stateDir);
  const { settings, problems } = await resolved(await loadStores(stateDir), file as ReaderSettings);
  if (problems.length > 0) throw invalid(problems);
  await beginImport(stateDir, settings);
  await finishImport(stateDir);
}

export async function resetState(stateDir: string): Promise<void> {
  await requestReset(stateDir);
  await finishReset(stateDir);
}
