/** What the radio is to do when it reads: the plan of the present mode, in the region that was set. */
import type { Capabilities, PlanExplanation } from '../../contract/messages.js';
import { invalid, isSingulateError } from '../../shared/errors.js';
import type { Setting } from '../../shared/setting.js';
import type { CableLosses } from '../api/cable-loss.js';
import type { OperatingMode } from '../api/mode.js';
import type { ChosenRegion } from '../api/reader-settings.js';
import { cableLossDb } from '../mode/cable-loss.js';
import { type CompiledMode, compileMode } from '../mode/compile.js';
import { withModeSecrets } from '../state/mode-secrets.js';
import { type CableFile, cableOf } from '../state/setting-kinds.js';
import type { RadioLink } from './radio-link.js';

/** In the field of each antenna, for predictions of modes that do not say. */
const TYPICAL_TAGS = 100;

/** What decides how the radio reads; lasts across restarts. */
export interface PlanSettings {
  modes: Setting<OperatingMode>;
  cables: Setting<CableFile>;
  region: Setting<ChosenRegion | undefined>;
}

export class WantedPlan {
  readonly #link: RadioLink;
  readonly #settings: PlanSettings;
  /** The radio is in the region that was set. */
  #regionHolds = false;
  /** Of a radio that is to go back to where it was, and did not hear of it; if none was set. */
  #owedRegion: ChosenRegion | undefined;

  constructor(link: RadioLink, settings: PlanSettings) {
    this.#link = link;
    this.#settings = settings;
  }

  /** Of the present mode. @throws INVALID (it does not fit this radio), UNAVAILABLE */
  async present(): Promise<CompiledMode> {
    return this.compile(this.#settings.modes.present, await this.#link.capabilities());
  }

  /**
   * Of the present mode, before a start: nothing is sent in another region than the one that was
   * set, whose limits the mode must keep. @throws as present(), STATE
   */
  async forStart(): Promise<CompiledMode> {
    await this.ensureRegion();
    return this.present();
  }

  /** @param cables Left out: those that were set. @throws INVALID naming every wrong field. */
  compile(
    mode: unknown,
    capabilities: Capabilities,
    cables: CableLosses = this.#settings.cables.present.ports,
  ): CompiledMode {
    const result = compileMode(mode, capabilities, (port) => cableLossDb(cableOf(cables, port)));
    if (!result.ok) throw invalid(result.violations);
    return result.value;
  }

  /** A mode that the radio would refuse is refused when it is set, not when it is started. */
  async tryOut(compiled: CompiledMode): Promise<void> {
    try {
      await this.#link.explain(compiled);
    } catch (error) {
      if (isSingulateError(error, 'INVALID')) throw error;
    }
  }

  /** What a mode would do, without setting it. @throws INVALID, UNAVAILABLE */
  async explain(
    given: unknown,
    cables?: CableLosses,
  ): Promise<{ compiled: CompiledMode; explanation: PlanExplanation }> {
    const mode = withModeSecrets(given, this.#settings.modes.present);
    const compiled = this.compile(mode, await this.#link.capabilities(), cables);
    // The default population of 1 is no guess of what is in the field.
    const { query } = compiled.mode;
    const guessed = [query ?? {}].flat().some(({ tagPopulation }) => tagPopulation !== undefined);
    const tags = guessed ? 0 : TYPICAL_TAGS;
    return { compiled, explanation: await this.#link.explain(compiled, tags) };
  }

  /** A radio service that was restarted has the region that it came with. */
  forgetRegion(): void {
    this.#regionHolds = false;
  }

  /** The radio is in that region, and whatever was owed to it before is not any more. */
  regionSet(): void {
    this.#regionHolds = true;
    this.#owedRegion = undefined;
  }

  /** Puts the radio back to where it was; one that is away later. Never throws for that. */
  async returnToRegion(before: ChosenRegion): Promise<void> {
    this.#owedRegion = before;
    this.#regionHolds = false;
    try {
      await this.#link.setRegion(before.region, before.channels);
      this.regionSet();
    } catch (error) {
      if (!isSingulateError(error, 'UNAVAILABLE')) throw error;
    }
  }

  /** @throws INVALID, STATE, UNAVAILABLE */
  async ensureRegion(): Promise<void> {
    const chosen = this.#settings.region.present ?? this.#owedRegion;
    if (chosen === undefined || this.#regionHolds) return;
    const present = await this.#link.regions();
    const { channels } = chosen;
    const all = present.regions.find(({ name }) => name === chosen.region)?.channelsKhz ?? [];
    const wanted = channels.length === 0 ? all : channels;
    if (present.region !== chosen.region || !sameNumbers(wanted, present.channelsKhz)) {
      await this.#link.setRegion(chosen.region, channels);
    }
    this.regionSet();
  }
}

function sameNumbers(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((value) => b.includes(value));
}
