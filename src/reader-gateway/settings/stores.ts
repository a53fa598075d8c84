/** The stores that together hold all that was set on a reader. */
import { type Change, Changes } from '../../shared/changes.js';
import type { Violation } from '../../shared/errors.js';
import type { Logger } from '../../shared/log.js';
import { Setting } from '../../shared/setting.js';
import type { StateFaults } from '../../shared/state-faults.js';
import type { EndpointConfig } from '../api/config.js';
import type { LogConfig } from '../api/logs.js';
import type { OperatingMode } from '../api/mode.js';
import type { NameAndDescription } from '../api/name-and-description.js';
import type { ChosenRegion, ReaderSettings } from '../api/reader-settings.js';
import { effectiveLogConfig, mergedLogConfig } from '../logs/logs.js';
import { ConfigStore } from '../state/config-store.js';
import type { Board } from '../state/gpio-led-rules.js';
import { restoreModeSecrets } from '../state/mode-secrets.js';
import { CABLES, type CableFile, DESCRIPTION, LOGS, MODE, REGION } from '../state/setting-kinds.js';
import { prefixed, SETTINGS_MIGRATIONS, violationsOf } from './check-settings.js';

/** Of a file of settings; each older one can be read (currentSettings). */
export const SETTINGS_VERSION = SETTINGS_MIGRATIONS.length + 1;

export interface SettingsStores {
  config: ConfigStore;
  modes: Setting<OperatingMode>;
  cables: Setting<CableFile>;
  region: Setting<ChosenRegion | undefined>;
  description: Setting<NameAndDescription | undefined>;
  logStore: Setting<LogConfig>;
}

export interface StoreNeeds {
  /** Takes files that cannot be used; left out: they are errors. */
  faults?: StateFaults;
  log?: Logger;
}

/** @throws CONFIG if there is nobody to take a file that cannot be used. */
export async function loadStores(
  stateDir: string,
  factory: EndpointConfig = {},
  { faults, log }: StoreNeeds = {},
): Promise<SettingsStores & { changes: Changes }> {
  const changes = new Changes(log);
  const stores: SettingsStores = {
    config: new ConfigStore(stateDir, factory, changes),
    modes: new Setting(stateDir, MODE, changes),
    cables: new Setting(stateDir, CABLES, changes),
    region: new Setting(stateDir, REGION, changes),
    description: new Setting(stateDir, DESCRIPTION, changes),
    logStore: new Setting(stateDir, LOGS, changes),
  };
  await Promise.all(Object.values(stores).map((store) => store.load(faults)));
  return { ...stores, changes };
}

/** Secrets in clear text. What was never set is not there, but for the mode. */
export function settingsOf(stores: SettingsStores): ReaderSettings {
  const { region, description } = stores;
  return {
    formatVersion: SETTINGS_VERSION,
    config: stores.config.stored,
    mode: stores.modes.present,
    cableLoss: stores.cables.present.ports,
    ...(region.present === undefined ? {} : { region: region.present }),
    ...(description.present === undefined ? {} : { nameAndDescription: description.present }),
    logs: effectiveLogConfig(stores.logStore.present),
  };
}

export interface Resolved {
  settings: ReaderSettings;
  problems: Violation[];
}

/**
 * What a file makes of the present settings: secrets in the place of their masks, log levels that
 * it does not name.
 * @param file Has no settingsProblems().
 * @param board What inputs, outputs and LEDs there are; undefined: only the running reader knows.
 */
export async function resolved(
  stores: SettingsStores,
  file: ReaderSettings,
  board?: Board,
): Promise<Resolved> {
  const { formatVersion: _, config, mode, logs, ...others } = file;
  const settings: ReaderSettings = { ...others };
  const found = await violationsOf(() => {
    if (config !== undefined) settings.config = stores.config.replaced(config, board);
  });
  const problems = prefixed('config', found);
  if (mode !== undefined) {
    settings.mode = restoreModeSecrets(mode, stores.modes.present, 'mode', problems);
  }
  if (logs !== undefined) settings.logs = mergedLogConfig(stores.logStore.present, logs);
  return { settings, problems };
}

/** As a part of a change. @param settings Checked, without masks. */
export async function writeSettings(
  change: Change,
  stores: SettingsStores,
  settings: ReaderSettings,
): Promise<void> {
  const { config, mode, cableLoss, region, nameAndDescription, logs } = settings;
  if (config !== undefined) await stores.config.replace(change, config);
  if (mode !== undefined) await stores.modes.put(change, mode);
  if (cableLoss !== undefined) await stores.cables.put(change, { ports: cableLoss });
  if (region !== undefined) await stores.region.put(change, region);
  if (nameAndDescription !== undefined) await stores.description.put(change, nameAndDescription);
  if (logs !== undefined) await stores.logStore.put(change, logs);
}
