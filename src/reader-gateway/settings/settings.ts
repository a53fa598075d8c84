/** Export, import and factory reset of all that was set, while the services run. */
import { isDeepStrictEqual } from 'node:util';
import { invalid, isSingulateError } from '../../shared/errors.js';
import type { Logger } from '../../shared/log.js';
import type { LogConfig } from '../api/logs.js';
import type { ReaderSettings } from '../api/reader-settings.js';
import type { Logs } from '../logs/logs.js';
import type { RadioLink } from '../radio/radio-link.js';
import type { Reading } from '../radio/reading.js';
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
  radio: RadioLink;
  reading: Reading;
  logs: Logs;
  log: Logger;
  /** Inputs, outputs and LEDs of this reader. */
  board(): Promise<Board>;
}

/** Puts back one part. */
type Undo = () => Promise<unknown>;

export class Settings {
  readonly #needs: SettingsNeeds;
  #imports: Promise<unknown> = Promise.resolve();

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
   * @throws INVALID naming every wrong field, STATE (another region while it reads), UNAVAILABLE
   */
  import(given: unknown): Promise<void> {
    const done = this.#imports.then(() => this.#import(given));
    this.#imports = done.catch(() => {});
    return done;
  }

  /** The next start does it. @returns Takes it back. */
  async requestReset(): Promise<() => Promise<void>> {
    const { stateDir } = this.#needs;
    await requestReset(stateDir);
    return () => withdrawReset(stateDir);
  }

  async #import(given: unknown): Promise<void> {
    const { stateDir, log } = this.#needs;
    const next = await this.#checked(given);
    const undo: Undo[] = [];
    await beginImport(stateDir, next);
    try {
      await this.#apply(next, undo);
    } catch (error) {
      for (const restore of undo.reverse()) {
        await restore().catch((err) => log.error({ err }, 'an import cannot be taken back'));
      }
      throw error;
    } finally {
      await endImport(stateDir);
    }
    log.info({ parts: Object.keys(next) }, 'settings imported');
  }

  /** What the file makes of the present settings, without masks. @throws INVALID, UNAVAILABLE */
  async #checked(given: unknown): Promise<ReaderSettings> {
    const { stores, radio, reading } = this.#needs;
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
      await part('mode', () => ifRadioIsThere(reading.explain(nextMode, next.cableLoss)));
    }
    if (problems.length > 0) throw invalid(problems);
    return next;
  }

  async #apply(next: ReaderSettings, undo: Undo[]): Promise<void> {
    const { stores, radio, reading, logs } = this.#needs;
    const before = settingsOf(stores);
    if (next.region !== undefined && !same(next.region, before.region)) {
      const { region, channelsKhz: channels } = await radio.regions();
      await reading.setRegion(next.region);
      undo.push(async () => {
        await reading.setRegion(before.region ?? { region, channels });
        if (before.region === undefined) await stores.region.clear();
      });
    }
    if (next.mode !== undefined || next.cableLoss !== undefined) {
      const mode = next.mode ?? before.mode;
      await named('mode', reading.setModeAndCables(mode, next.cableLoss ?? stores.cables.present));
      undo.push(() => reading.setModeAndCables(before.mode, before.cableLoss ?? {}));
    }
    if (next.logs !== undefined) {
      const { logs: old = {} } = before;
      await named('logs', logs.change(logChange(old, next.logs)));
      undo.push(() => logs.change(logChange(next.logs ?? {}, old)));
    }
    if (next.nameAndDescription !== undefined) {
      const { description } = stores;
      const { nameAndDescription: old } = before;
      await description.save(next.nameAndDescription);
      undo.push(() => (old === undefined ? description.clear() : description.save(old)));
    }
    // Last: it cannot fail any more but for the disk.
    if (next.config !== undefined) await named('config', stores.config.replace(next.config));
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
