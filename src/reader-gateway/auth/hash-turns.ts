/**
 * Hashing passwords is heavy on purpose. One is hashed after the other; a flood of logins from
 * addresses that nobody knows takes neither all places of the queue nor the processor.
 */
import { setTimeout as sleep } from 'node:timers/promises';

export interface HashShare {
  /** Logins that wait or are hashed, and how many of them at most come from unknown addresses. */
  places: number;
  strangers: number;
  /** Of the time of one processor that logins of unknown addresses get. */
  share: number;
}

const SHARE: HashShare = { places: 8, strangers: 4, share: 0.4 };

export class HashTurns {
  readonly #limits: HashShare;
  readonly #known: (() => void)[] = [];
  readonly #strangers: (() => void)[] = [];
  #places = 0;
  #strangersPlaces = 0;
  #isBusy = false;
  /** Strangers have had their share for now. */
  #isResting = false;

  constructor(limits: HashShare = SHARE) {
    this.#limits = limits;
  }

  hasPlace(isKnown: boolean): boolean {
    const { places, strangers } = this.#limits;
    return this.#places < places && (isKnown || this.#strangersPlaces < strangers);
  }

  /** Call it only where there is a place. */
  async run<Result>(isKnown: boolean, hash: () => Promise<Result>): Promise<Result> {
    this.#places++;
    if (!isKnown) this.#strangersPlaces++;
    try {
      await new Promise<void>((begin) => {
        (isKnown ? this.#known : this.#strangers).push(begin);
        this.#next();
      });
      const began = performance.now();
      try {
        return await hash();
      } finally {
        if (!isKnown) this.#rest(performance.now() - began);
        this.#isBusy = false;
        this.#next();
      }
    } finally {
      this.#places--;
      if (!isKnown) this.#strangersPlaces--;
    }
  }

  #next(): void {
    if (this.#isBusy) return;
    const next = this.#known.shift() ?? (this.#isResting ? undefined : this.#strangers.shift());
    if (next === undefined) return;
    this.#isBusy = true;
    next();
  }

  #rest(usedMs: number): void {
    this.#isResting = true;
    void sleep(usedMs / this.#limits.share - usedMs).then(() => {
      this.#isResting = false;
      this.#next();
    });
  }
}
