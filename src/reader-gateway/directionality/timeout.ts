/** When a tag is gone: the longer its usual gaps between reads, the later. */
import type { EffectiveAdvanced } from './settings.js';

/** Fewer gaps say too little about how a tag is read. */
const ENOUGH_GAPS = 5;

export class GapStatistics {
  #count = 0;
  #mean = 0;
  /** Sum of the squared distances from the mean (Welford). */
  #squares = 0;

  add(gapMs: number): void {
    this.#count++;
    const distance = gapMs - this.#mean;
    this.#mean += distance / this.#count;
    this.#squares += distance * (gapMs - this.#mean);
  }

  timeoutMs(rules: EffectiveAdvanced): number {
    if (this.#count < ENOUGH_GAPS) return rules.tag_timeout_seconds_default * 1000;
    const sigma = Math.sqrt(this.#squares / (this.#count - 1));
    const timeout = this.#mean + rules.sigma_multiplier * sigma;
    const min = rules.tag_timeout_seconds_min * 1000;
    const max = rules.tag_timeout_seconds_max * 1000;
    return Math.min(Math.max(timeout, min), max);
  }
}
