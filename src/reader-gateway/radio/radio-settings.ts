/** Mode, cables and region: stored, and told to the radio, or neither. */
import type { Change, Changes } from '../../shared/changes.js';
import { SingulateError } from '../../shared/errors.js';
import type { Logger } from '../../shared/log.js';
import type { CableLosses } from '../api/cable-loss.js';
import type { ChosenRegion } from '../api/reader-settings.js';
import type { CompiledMode } from '../mode/compile.js';
import { withModeSecrets } from '../state/mode-secrets.js';
import type { RadioLink } from './radio-link.js';
import type { Reading } from './reading.js';
import type { PlanSettings, WantedPlan } from './wanted-plan.js';

/** A mode that was taken is checked again, by the radio too, no sooner than this. */
const SAME_MODE_MS = 1000;

export interface RadioSettingsNeeds {
  link: RadioLink;
  wanted: WantedPlan;
  reading: Reading;
  settings: PlanSettings;
  /** Of all that can be set. */
  changes: Changes;
  log: Logger;
}

export class RadioSettings {
  readonly #needs: RadioSettingsNeeds;
  /** The mode that holds, as it was given: the same once more changes nothing. */
  #justSet: { text: string; until: number } | undefined;

  constructor(needs: RadioSettingsNeeds) {
    this.#needs = needs;
    // Another radio may say otherwise.
    needs.link.onConnected(() => {
      this.#justSet = undefined;
    });
  }

  /**
   * Sets the mode; a reader that reads goes on with it at the end of the running round.
   * @throws INVALID naming every wrong field, STORAGE, UNAVAILABLE if the radio was never seen, or
   * does not answer while it reads; then nothing has changed.
   */
  async setMode(given: unknown): Promise<void> {
    const text = JSON.stringify(given);
    const { reading, changes } = this.#needs;
    await reading.exclusive(async () => {
      if (text === this.#justSet?.text && performance.now() < this.#justSet.until) return;
      await changes.make((change) => this.put(change, { mode: given }));
      this.#justSet = { text, until: performance.now() + SAME_MODE_MS };
    });
  }

  /** Takes other cables into account, at once if it reads. @throws as setMode() */
  async setCables(next: (before: CableLosses) => CableLosses): Promise<void> {
    const { cables } = this.#needs.settings;
    await this.#alone((change) => this.put(change, { cables: next(cables.present.ports) }));
  }

  /** @throws INVALID, STATE (it reads), STORAGE, UNAVAILABLE; then nothing has changed. */
  async setRegion(region: ChosenRegion): Promise<void> {
    await this.#alone((change) => this.put(change, { region }));
  }

  /**
   * As a part of a change, by who has the reading for himself. What is not given stays; a mode may be
   * right only with the cables, and in the region, that come with it.
   */
  async put(
    change: Change,
    next: { mode?: unknown; cables?: CableLosses; region?: ChosenRegion },
  ): Promise<void> {
    const { settings, reading, wanted, link } = this.#needs;
    this.#justSet = undefined;
    const present = settings.modes.present;
    const mode = next.mode === undefined ? undefined : withModeSecrets(next.mode, present);
    if (next.region !== undefined) await this.#putRegion(change, next.region);
    if (mode === undefined && next.cables === undefined) return;
    const compiles = mode !== undefined || reading.isReading;
    const compiled = compiles
      ? wanted.compile(mode ?? present, await link.capabilities(), next.cables)
      : undefined;
    if (next.cables !== undefined) await settings.cables.put(change, { ports: next.cables });
    if (compiled === undefined) return;
    if (mode !== undefined) await settings.modes.put(change, compiled.mode);
    await this.#tell(change, compiled);
    if (mode !== undefined) change.whenDone(() => this.#warnOf(compiled.ignored));
  }

  /** One change at a time, and no start or stop in between. */
  #alone(work: (change: Change) => Promise<void>): Promise<void> {
    const { reading, changes } = this.#needs;
    return reading.exclusive(() => changes.make(work));
  }

  /** If a later part fails, the plan of before is told again. */
  async #tell(change: Change, compiled: CompiledMode): Promise<void> {
    const { reading, wanted } = this.#needs;
    await change.step(
      () => reading.apply(compiled),
      async () => reading.apply(await wanted.present()),
    );
  }

  async #putRegion(change: Change, chosen: ChosenRegion): Promise<void> {
    const { settings, reading, wanted, link } = this.#needs;
    if (!reading.isIdle) {
      throw new SingulateError('STATE', 'the reader reads; stop it before the region changes');
    }
    const { region, channelsKhz: channels } = await link.regions();
    await settings.region.put(change, chosen);
    const goBack = () => wanted.returnToRegion({ region, channels });
    await change.step(async () => {
      try {
        await link.setRegion(chosen.region, chosen.channels);
      } catch (error) {
        // Whether it has heard of it is not known.
        if (error instanceof SingulateError && error.code === 'UNAVAILABLE') await goBack();
        throw error;
      }
      wanted.regionSet();
    }, goBack);
  }

  #warnOf(ignored: CompiledMode['ignored']): void {
    if (ignored.length === 0) return;
    this.#needs.log.warn({ ignored }, 'fields of the mode have no effect');
  }
}
