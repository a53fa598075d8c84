/** The stores that together hold all that was set on a reader. */
import type { Violation } from '../../shared/errors.js';
import type { EndpointConfig } from '../api/config.js';
import type { ReaderSettings } from '../api/reader-settings.js';
import { effectiveLogConfig, mergedLogConfig } from '../logs/logs.js';
import { CableStore } from '../state/cable-store.js';
import { ConfigStore } from '../state/config-store.js';
import { DescriptionStore } from '../state/description-store.js';
import type { Board } from '../state/gpio-led-rules.js';
import { LogStore } from '../state/log-store.js';
import { ModeStore } from '../state/mode-store.js';
import { RegionStore } from '../state/region-store.js';
import { restoreSecrets } from '../state/secrets.js';
import { prefixed, SETTINGS_MIGRATIONS, violationsOf } from './check-settings.js';

/** Of a file of settings; each older one can be read (currentSettings). */
export const SETTINGS_VERSION = SETTINGS_MIGRATIONS.length + 1;

export interface SettingsStores {
  config: ConfigStore;
  modes: ModeStore;
  cables: CableStore;
  region: RegionStore;
  description: DescriptionStore;
  logStore: LogStore;
}

/** Of a reader whose services do not run. @throws CONFIG */
export async function loadStores(
  stateDir: string,
  factory: EndpointConfig = {},
): Promise<SettingsStores> {
  const stores: SettingsStores = {
    config: new ConfigStore(stateDir, factory),
    modes: new ModeStore(stateDir),
    cables: new CableStore(stateDir),
    region: new RegionStore(stateDir),
    description: new DescriptionStore(stateDir),
    logStore: new LogStore(stateDir),
  };
  await Promise.all(Object.values(stores).map((store) => store.load()));
  return stores;
}

/** Secrets in clear text. What was never set is not there, but for the mode. */
export function settingsOf(stores: SettingsStores): ReaderSettings {
  const { region, description } = stores;
  return {
    formatVersion: SETTINGS_VERSION,
    config: stores.config.stored,
    mode: stores.modes.mode,
    cableLoss: stores.cables.present,
    ...(region.present === undefined ? {} : { region: region.present }),
    ...(description.present === undefined ? {} : { nameAndDescription: description.present }),
    logs: effectiveLogConfig(stores.logStore.config),
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
    settings.mode = restoreSecrets(mode, stores.modes.mode, 'mode', { problems });
  }
  if (logs !== undefined) settings.logs = mergedLogConfig(stores.logStore.config, logs);
  return { settings, problems };
}

/** @param settings Checked, without masks. */
export async function writeSettings(
  stores: SettingsStores,
  settings: ReaderSettings,
): Promise<void> {
  const { config, mode, cableLoss, region, nameAndDescription, logs } = settings;
  if (config !== undefined) await stores.config.replace(config);
  if (mode !== undefined) await stores.modes.save(mode);
  if (cableLoss !== undefined) await stores.cables.save(cableLoss);
  if (region !== undefined) await stores.region.save(region);
  if (nameAndDescription !== undefined) await stores.description.save(nameAndDescription);
  if (logs !== undefined) await stores.logStore.save(logs);
}
