/**
 * The file `event-numbers` of the state folder: which event numbers of each endpoint are used, and
 * of which events it is not known that they arrived.
 *
 * A record is written before an event gets a number that the one before does not count as used, so
 * a process that is killed is no matter: the kernel has what was written. While events flow it
 * counts numbers ahead, so that not every event costs a record; with the flow's end it is exact.
 * It does not wait for the disk. What a loss of power takes back is covered by numbers that are
 * reserved ahead, which is written to the disk now and then. Each endpoint has two records: the one
 * that is written all the time, and the one that is written with a reservation alone, so no torn
 * write can take both.
 *
 * The file has its full size from the start and is written in place, so a full disk does not stop
 * it. If it cannot be written all the same, numbers go on far above all others: those that the file
 * does not count as used are left to the next process.
 */
import { createHash } from 'node:crypto';
import { copyFileSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Clock, systemClock, type Timer } from '../../../shared/clock.js';
import type { Logger } from '../../../shared/log.js';
import type { Span } from '../retention/ring.js';
import { machineBootId } from './boot-id.js';
import { EventNumbers, type Left, type NumberKeeper } from './event-numbers.js';
import { farAbove, firstOfTime } from './far-numbers.js';
import { LedgerFile } from './ledger-file.js';
import { KEY_BYTES, type NumberRecord, RECORD_BYTES, readRecord, writeRecord } from './record.js';
import { Reservation } from './reservation.js';

export const NUMBERS_FILE = 'event-numbers';
/** The file as it was when it could not be read. */
export const DAMAGED_NUMBERS = 'event-numbers.damaged';

/** Endpoints that are remembered; of those that are gone, the ones that were used last. */
export const MOST_ENDPOINTS = 32;
const COPIES = 2;
const FILE_BYTES = COPIES * MOST_ENDPOINTS * RECORD_BYTES;
/** What nobody waits for is written so late. */
const LATER_MS = 100;
/** After a failure it is tried again so late, after the second in a row twice as late, and so on. */
const AGAIN_MS = 1000;
const MOST_AGAIN = 30;

interface Slot {
  key: Buffer;
  numbers: EventNumbers;
  /** Somebody uses it in this run. */
  isUsed: boolean;
  sequence: number;
  reserved: number;
  /** What is reserved, and safe on the disk. */
  safe: number;
  usedAtMs: number;
}

export interface LedgerOptions {
  clock?: Clock;
  /** Identity of the boot of the machine, hexadecimal; empty = not known. */
  bootId?: string | undefined;
}

export class NumberLedger implements NumberKeeper {
  readonly #path: string;
  readonly #file: LedgerFile;
  readonly #log: Logger;
  readonly #clock: Clock;
  readonly #bootId: Buffer;
  readonly #slots: (Slot | undefined)[] = Array.from({ length: MOST_ENDPOINTS });
  /** The file as it is to be. */
  readonly #bytes = Buffer.alloc(FILE_BYTES);
  readonly #reservation = new Reservation();
  #timer: Timer | undefined;
  #reserving = false;
  #problem = false;
  #failures = 0;
  #failuresInRow = 0;
  #tryAgainMs = Number.NEGATIVE_INFINITY;
  #closed = false;
  /** First number of endpoints that are not in the file: all before it may have been used. */
  #firstOfUnknown = 1;

  /**
   * Reads the file, makes it if it is not there. A file that is damaged is kept beside it, and
   * numbers that cannot be known begin above all that can have been used. If it cannot be written,
   * events get numbers above all others; `isKept` says so.
   */
  static open(stateDir: string, log: Logger, options: LedgerOptions = {}): NumberLedger {
    const ledger = new NumberLedger(stateDir, log, options);
    ledger.#load();
    ledger.#reserve(true);
    return ledger;
  }

  private constructor(
    stateDir: string,
    log: Logger,
    { clock = systemClock, bootId = machineBootId() }: LedgerOptions,
  ) {
    this.#path = join(stateDir, NUMBERS_FILE);
    this.#file = new LedgerFile(this.#path);
    this.#log = log;
    this.#clock = clock;
    this.#bootId = Buffer.alloc(KEY_BYTES);
    this.#bootId.write(bootId.replaceAll('-', ''), 'hex');
  }

  /** What is written survives: the file could be written the last time. */
  get isKept(): boolean {
    return !this.#problem;
  }

  /** Those of an endpoint: the same ones for the same kind and name. */
  numbers(kind: string, name: string): EventNumbers {
    const key = createHash('sha256').update(`${kind} ${name}`).digest().subarray(0, KEY_BYTES);
    const known = this.#slots.find((slot) => slot?.key.equals(key));
    if (known !== undefined) {
      known.isUsed = true;
      return known.numbers;
    }
    const index = this.#freeSlot();
    const first = this.#firstOfUnknown;
    const left = this.#leftBefore(1, first, this.#clock.now());
    // More endpoints than can be configured.
    if (index === undefined) return new EventNumbers(undefined, first, left);
    const numbers = new EventNumbers(this, first, left);
    const usedAtMs = this.#clock.now();
    const reserved = { reserved: first, safe: first };
    this.#slots[index] = { key, numbers, isUsed: true, sequence: 0, usedAtMs, ...reserved };
    numbers.changed();
    this.reserve();
    return numbers;
  }

  later(): void {
    if (this.#closed) return;
    this.#timer ??= this.#clock.setTimeout(() => {
      this.#timer = undefined;
      this.#writeChanged();
    }, LATER_MS);
  }

  need(numbers: EventNumbers): void {
    const index = this.#indexOf(numbers);
    const slot = this.#slots[index];
    if (this.#closed || slot === undefined) return;
    // A reservation that the disk has not taken in time is waited for.
    const isPromised =
      numbers.next < slot.safe ? this.#writeSlots(index, index) : this.#reserve(true);
    if (!isPromised) this.#startAbove(numbers);
  }

  write(numbers: EventNumbers): void {
    const index = this.#indexOf(numbers);
    if (index >= 0 && !this.#closed && !this.#problem) this.#writeSlots(index, index);
  }

  reserve(): void {
    this.#reserve(false);
  }

  #indexOf(numbers: EventNumbers): number {
    return this.#slots.findIndex((slot) => slot?.numbers === numbers);
  }

  #writeChanged(): void {
    if (this.#problem) {
      if (this.#clock.now() >= this.#tryAgainMs) this.#reserve(true);
      this.later();
      return;
    }
    const isChanged = this.#slots.map((slot) => slot?.numbers.isChanged === true);
    const first = isChanged.indexOf(true);
    if (first >= 0) this.#writeSlots(first, isChanged.lastIndexOf(true));
  }

  /** Those that have changed. @returns false if it failed. */
  #writeSlots(first: number, last: number): boolean {
    const changed: Slot[] = [];
    for (let index = first; index <= last; index++) {
      const slot = this.#slots[index];
      if (slot === undefined || (first < last && !slot.numbers.isChanged)) continue;
      this.#compose(index, slot.safe);
      changed.push(slot);
    }
    if (!this.#toFile(first * RECORD_BYTES, (last + 1) * RECORD_BYTES)) return false;
    for (const { numbers } of changed) numbers.kept();
    return true;
  }

  /**
   * @param wait The numbers are safe on the disk when it returns.
   * @returns false if it failed.
   */
  #reserve(wait: boolean): boolean {
    if (this.#closed || (this.#reserving && !wait)) return false;
    if (this.#problem && !this.#tried(() => this.#file.probe(this.#bytes))) return false;
    const step = this.#reservation.next(this.#clock.now());
    const slots = this.#composeAll((slot) => {
      slot.reserved = Math.max(slot.reserved, slot.numbers.next + step);
      return wait ? slot.reserved : slot.safe;
    });
    if (!this.#toFile(0, FILE_BYTES)) return false;
    for (const { numbers } of slots) numbers.kept();
    const reserved = slots.map((slot) => slot.reserved);
    const failures = this.#failures;
    const isSafe = () => {
      for (const [index, slot] of slots.entries()) {
        slot.safe = Math.max(slot.safe, reserved[index] as number);
      }
      if (failures === this.#failures) this.#recovered();
      for (const slot of slots) slot.numbers.reserved(slot.safe - step / 2);
    };
    if (wait) {
      const isFlushed = this.#tried(() => this.#file.flush());
      if (isFlushed) isSafe();
      return isFlushed;
    }
    this.#reserving = true;
    this.#file.flushLater((error) => {
      this.#reserving = false;
      if (this.#closed) return;
      if (error === null) isSafe();
      else this.#failed(error);
    });
    return true;
  }

  #recovered(): void {
    if (!this.#problem) return;
    this.#problem = false;
    this.#failuresInRow = 0;
    this.#log.info('event numbers are kept again');
  }

  /** At a number that no process has used, or comes to, whatever the file says. */
  #startAbove(numbers: EventNumbers): void {
    const nowMs = this.#clock.now();
    numbers.startAbove(farAbove(numbers.next, nowMs), nowMs);
  }

  /** The last that is written: the next start knows exactly what was used. */
  close(): void {
    if (this.#closed) return;
    this.#composeAll(({ reserved }) => reserved, true);
    if (this.#toFile(0, FILE_BYTES)) this.#tried(() => this.#file.flush());
    this.#timer?.cancel();
    this.#closed = true;
    this.#file.close();
  }

  /** @param limitOf From here on no number may count as used. */
  #composeAll(limitOf: (slot: Slot) => number, isClosed = false): Slot[] {
    const slots: Slot[] = [];
    for (const [index, slot] of this.#slots.entries()) {
      if (slot === undefined) continue;
      this.#compose(index, limitOf(slot), isClosed);
      slots.push(slot);
    }
    this.#bytes.copy(this.#bytes, FILE_BYTES / COPIES, 0, FILE_BYTES / COPIES);
    return slots;
  }

  #compose(index: number, limit: number, isClosed = false): void {
    const slot = this.#slots[index] as Slot;
    if (slot.isUsed) slot.usedAtMs = this.#clock.now();
    slot.sequence++;
    const { next, promised, events, losses } = slot.numbers.written(isClosed, limit);
    writeRecord(this.#bytes, index * RECORD_BYTES, {
      key: slot.key,
      bootId: this.#bootId,
      isClosed,
      sequence: slot.sequence,
      next,
      promised,
      reserved: Math.max(slot.reserved, promised),
      usedAtMs: slot.usedAtMs,
      events,
      losses,
    });
  }

  /** @returns false if it failed. */
  #toFile(from: number, to: number): boolean {
    return this.#tried(() => this.#file.write(this.#bytes, from, to));
  }

  /** @returns false if it failed. */
  #tried(what: () => void): boolean {
    try {
      what();
      return true;
    } catch (error) {
      this.#failed(error);
      return false;
    }
  }

  #failed(error: unknown): void {
    if (!this.#problem) {
      const what = 'event numbers cannot be written: they go on in a range of their own';
      this.#log.error({ err: error }, what);
    }
    this.#problem = true;
    this.#failures++;
    const now = this.#clock.now();
    if (now >= this.#tryAgainMs)
      this.#failuresInRow = Math.min(this.#failuresInRow + 1, MOST_AGAIN);
    this.#tryAgainMs = now + this.#failuresInRow * AGAIN_MS;
    for (const slot of this.#slots) slot?.numbers.notKept();
    this.later();
  }

  #load(): void {
    let bytes: Buffer;
    try {
      bytes = readFileSync(this.#path);
    } catch (error) {
      // Without a file nothing was ever numbered.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') this.#isDamaged(error);
      return;
    }
    let isDamaged = bytes.length !== FILE_BYTES;
    for (let index = 0; index < MOST_ENDPOINTS; index++) {
      const current = readRecord(bytes, index * RECORD_BYTES);
      const safe = readRecord(bytes, (MOST_ENDPOINTS + index) * RECORD_BYTES);
      if (isRecord(current) || isRecord(safe)) this.#adopt(index, current, safe);
      else if (current !== undefined || safe !== undefined) isDamaged = true;
    }
    if (isDamaged) this.#isDamaged(new Error(`${this.#path}: damaged`));
  }

  /** @param current Written all the time. @param safe Written with the last reservation. */
  #adopt(index: number, current: Found, safe: Found): void {
    const [one, other] = [current, safe].filter(isRecord);
    const record = (other?.sequence ?? 0) > (one?.sequence ?? 0) ? other : one;
    if (record === undefined) return;
    const isSameBoot =
      record.bootId.some((byte) => byte !== 0) && record.bootId.equals(this.#bootId);
    const isNewest = record.isClosed || (isSameBoot && isRecord(current));
    const next = isNewest ? record.promised : record.reserved;
    const { key, sequence, usedAtMs, events, losses } = record;
    const { unsure } = this.#leftBefore(record.next, next, usedAtMs);
    const numbers = new EventNumbers(this, next, { events, losses, unsure });
    const reserved = { reserved: next, safe: next };
    this.#slots[index] = { key, numbers, isUsed: false, sequence, usedAtMs, ...reserved };
  }

  /** @returns What is to be reported if numbers jump. */
  #leftBefore(from: number, next: number, sinceMs: number): Partial<Left> {
    if (next <= from) return {};
    const [firstAtMs, lastAtMs] = [Math.min(sinceMs, this.#clock.now()), this.#clock.now()];
    const unsure: Span = { count: 0, firstNum: from, lastNum: next - 1, firstAtMs, lastAtMs };
    return { unsure };
  }

  #isDamaged(error: unknown): void {
    this.#firstOfUnknown = firstOfTime(this.#clock.now());
    const kept = join(dirname(this.#path), DAMAGED_NUMBERS);
    this.#log.error(
      { err: error, kept, next: this.#firstOfUnknown },
      'event numbers are not known',
    );
    try {
      copyFileSync(this.#path, kept);
      this.#file.create(this.#bytes);
    } catch (error) {
      this.#failed(error);
    }
  }

  /** One that was never used, or that of the endpoint that is gone longest. */
  #freeSlot(): number | undefined {
    let best: number | undefined;
    for (const [index, slot] of this.#slots.entries()) {
      if (slot === undefined) return index;
      if (slot.isUsed) continue;
      const oldest = best === undefined ? undefined : this.#slots[best];
      if (oldest === undefined || slot.usedAtMs < oldest.usedAtMs) best = index;
    }
    return best;
  }
}

type Found = NumberRecord | 'damaged' | undefined;

function isRecord(found: Found): found is NumberRecord {
  return typeof found === 'object';
}
