/** Export, import and factory reset of all that was set, while the services run. */
import { isDeepStrictEqual } from 'node:util';
import type { Change, Changes } from '../../shared/changes.js';
import { invalid, isSingulateError } from '../../shared/errors.js';
import type { Logger } from '../../shared/log.js';
import type { LogConfig } from '../api/logs.js';
import type { ReaderSettings } from '../api/reader-settings.js';
import { effectiveLogConfig, type Logs } from '../logs/logs.js';
import type { RadioLink } from '../radio/radio-link.js';
import type { RadioSettings } from '../radio/radio-settings.js';
import type { Reading } from '../radio/reading.js';
import type { WantedPlan } from '../radio/wanted-plan.js';
import type { Board } from '../state/gpio-led-rules.js';
import { maskSecrets } from '../state/secrets.js';
import { changeCables } from '../system/change-cables.js';
import { chosenRegion } from '../system/regions.js';
import { currentSettings, prefixed, settingsProblems, violationsOf } from './check-settings.js';
import { requestReset, withdrawReset } from './factory-reset.js';
import { resolved, type SettingsStores, settingsOf } from './stores.js';
import { beginImport, endImport } from './unfinished-import.js';

export interface SettingsNeeds {
  stateDir: string;
  stores: SettingsStores;
  /** Of all that can be set. */
  changes: Changes;
  radio: RadioLink;
  reading: Reading;
  wanted: WantedPlan;
  radioSettings: RadioSettings;
  logs: Logs;
  log: Logger;
  /** Inputs, outputs and LEDs of this reader. */
  board(): Promise<Board>;
}

export class Settings {
  readonly #needs: SettingsNeeds;

  constructor(needs: SettingsNeeds) {
    this.#needs = needs;
  }

  /** Secrets are masked: they never leave the reader. */
  export(): ReaderSettings {
    return maskSecrets(settingsOf(this.#needs.stores));
  }

  /**
   * Whole or not at all, also if the power goes in between. The connections are still those of
   * before: bringing them in step is the caller's.
   * @throws INVALID naming every wrong field, STATE (another region while it reads), UNAVAILABLE,
   * STORAGE
   */
  import(given: unknown): Promise<void> {
    const { reading, changes } = this.#needs;
    return reading.exclusive(() => changes.make((change) => this.#import(change, given)));
  }

  /** The next start does it. @returns Takes it back. */
  async requestReset(): Promise<() => Promise<void>> {
    const { stateDir } = this.#needs;
    await requestReset(stateDir);
    return () => withdrawReset(stateDir);
  }

  async #import(change: Change, given: unknown): Promise<void> {
    const { stateDir, log } = this.#needs;
    const next = await this.#checked(given);
    const end = () => endImport(stateDir);
    // Taken back last: until all is as before, the next start would finish the import.
    await change.step(() => beginImport(stateDir, next), end);
    await this.#apply(change, next);
    await end();
    change.whenDone(() => log.info({ parts: Object.keys(next) }, 'settings imported'));
  }

  /** What the file makes of the present settings, without masks. @throws INVALID, UNAVAILABLE */
  async #checked(given: unknown): Promise<ReaderSettings> {
    const { stores, radio, wanted } = this.#needs;
    const file = currentSettings(given);
    const wrong = settingsProblems(file);
    if (wrong.length > 0) throw invalid(wrong);
    const { settings: next, problems } = await resolved(
      stores,
      file as ReaderSettings,
      await this.#needs.board(),
    );
    const part = async (name: string, work: () => unknown) => {
      const found = prefixed(name, await violationsOf(work));
      // Of a mask that hides nothing more is not to be said.
      problems.push(...found.filter((one) => !problems.some(({ field }) => field === one.field)));
    };
    const { cableLoss, region } = next;
    await part('cableLoss', async () => {
      if (cableLoss === undefined || Object.keys(cableLoss).length === 0) return;
      const { antennas } = await radio.capabilities();
      next.cableLoss = changeCables({}, cableLoss, antennas);
    });
    await part('region', async () => {
      if (region === undefined) return;
      const { regions } = await radio.regions();
      const { channels } = region;
      const channelData = channels.length === 0 ? {} : { channelData: channels };
      next.region = chosenRegion({ region: region.region, ...channelData }, regions);
    });
    const { mode: nextMode, region: nextRegion } = next;
    // Limits of another region are known once the radio is in it.
    if (
      nextMode !== undefined &&
      (nextRegion === undefined || same(nextRegion, stores.region.present))
    ) {
      await part('mode', () => ifRadioIsThere(wanted.explain(nextMode, next.cableLoss)));
    }
    if (problems.length > 0) throw invalid(problems);
    return next;
  }

  async #apply(change: Change, next: ReaderSettings): Promise<void> {
    const { stores, radioSettings, logs } = this.#needs;
    const { region, mode, cableLoss, config, nameAndDescription } = next;
    if (region !== undefined && !same(region, stores.region.present)) {
      await radioSettings.put(change, { region });
    }
    if (mode !== undefined || cableLoss !== undefined) {
      const work = radioSettings.put(change, {
        mode: mode ?? stores.modes.present,
        ...(cableLoss === undefined ? {} : { cables: cableLoss }),
      });
      await named('mode', work);
    }
    if (next.logs !== undefined) {
      const before = effectiveLogConfig(stores.logStore.present);
      await named('logs', logs.put(change, logChange(before, next.logs)));
    }
    if (nameAndDescription !== undefined) await stores.description.put(change, nameAndDescription);
    if (config !== undefined) await named('config', stores.config.replace(change, config));
  }
}

/** Its violations get the name of the part before their paths. */
async function named(part: string, work: Promise<unknown>): Promise<void> {
  const found = await violationsOf(() => work);
  if (found.length > 0) throw invalid(prefixed(part, found));
}

/** A radio without a packet log is not told that it shall keep none. */
function logChange(before: LogConfig, after: LogConfig): LogConfig {
  const { radioPacketLog, ...rest } = after;
  const changes = radioPacketLog !== undefined && radioPacketLog !== before.radioPacketLog;
  return changes ? after : rest;
}

/** A radio that is away says so when it is started. */
async function ifRadioIsThere(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!isSingulateError(error, 'UNAVAILABLE')) throw error;
  }
}

function same(one: unknown, other: unknown): boolean {
  return isDeepStrictEqual(one, other);
}
