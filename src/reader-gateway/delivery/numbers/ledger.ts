/**
 * The file `event-numbers` of the state folder: which event numbers of each endpoint are used, and
 * of which events it is not known that they arrived.
 *
 * A record is written before events leave whose numbers the one before does not count as used, so
 * a process that is killed is no matter: the kernel has what was written. While events flow it
 * counts numbers ahead, so that not every event costs a record; with the flow's end it is exact.
 * It does not wait for the disk. What a loss of power takes back is covered by numbers that are
 * reserved ahead, which is written to the disk now and then. Each endpoint has two records: the one
 * that is written all the time, and the one that is written with a reservation alone, so no torn
 * write can take both.
 */
import { createHash } from 'node:crypto';
import {
  closeSync,
  copyFileSync,
  fdatasync,
  fdatasyncSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { type Clock, systemClock, type Timer } from '../../../shared/clock.js';
import type { Logger } from '../../../shared/log.js';
import type { Span } from '../retention/ring.js';
import { EventNumbers, type Left, type NumberKeeper } from './event-numbers.js';
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
const AGAIN_MS = 1000;
/** No clock of a reader in use is before this; its own may be. */
const EARLIEST_MS = Date.UTC(2026, 0, 1);
/** More events than come in a millisecond, over all the years. */
const NUMBERS_PER_MS = 10;

interface Slot {
  key: Buffer;
  numbers: EventNumbers;
  /** Somebody uses it in this run. */
  isUsed: boolean;
  sequence: number;
  reserved: number;
  usedAtMs: number;
}

export interface LedgerOptions {
  clock?: Clock;
  /** Identity of the boot of the machine, hexadecimal; empty = not known. */
  bootId?: string | undefined;
}

export class NumberLedger implements NumberKeeper {
  readonly #path: string;
  readonly #log: Logger;
  readonly #clock: Clock;
  readonly #bootId: Buffer;
  readonly #slots: (Slot | undefined)[] = Array.from({ length: MOST_ENDPOINTS });
  /** The file as it is to be. */
  readonly #bytes = Buffer.alloc(FILE_BYTES);
  readonly #reservation = new Reservation();
  #fd: number | undefined;
  #timer: Timer | undefined;
  #reserving = false;
  #problem = false;
  #tryAgainMs = Number.NEGATIVE_INFINITY;
  #closed = false;
  /** First number of endpoints that are not in the file: all before it may have been used. */
  #firstOfUnknown = 1;

  /**
   * Reads the file, makes it if it is not there. A file that is damaged is kept beside it, and
   * numbers that cannot be known begin above all that can have been used. If it cannot be written,
   * numbers are counted on all the same; `isKept` says so.
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
    const numbers = new EventNumbers(this, first, this.#leftBefore(1, first, this.#clock.now()));
    // More endpoints than can be configured.
    if (index === undefined) return numbers;
    const usedAtMs = this.#clock.now();
    this.#slots[index] = { key, numbers, isUsed: true, sequence: 0, reserved: first, usedAtMs };
    numbers.changed();
    this.reserve();
    return numbers;
  }

  later(): void {
    if (this.#closed) return;
    this.#timer ??= this.#clock.setTimeout(() => {
      this.#timer = undefined;
      this.write();
    }, LATER_MS);
  }

  write(): void {
    if (this.#closed) return;
    if (this.#problem && this.#clock.now() < this.#tryAgainMs) {
      this.later();
      return;
    }
    let [first, last] = [MOST_ENDPOINTS, -1];
    for (let index = 0; index < MOST_ENDPOINTS; index++) {
      if (!this.#slots[index]?.numbers.isChanged) continue;
      this.#compose(index);
      first = Math.min(first, index);
      last = index;
    }
    if (last >= 0) this.#toFile(first * RECORD_BYTES, (last + 1) * RECORD_BYTES);
  }

  reserve(): void {
    this.#reserve(false);
  }

  /** @param wait The numbers are safe on the disk when it returns. */
  #reserve(wait: boolean): void {
    if (this.#closed || this.#reserving) return;
    const step = this.#reservation.next(this.#clock.now());
    this.#composeAll((slot) => {
      slot.reserved = Math.max(slot.reserved, slot.numbers.next + step);
    });
    if (!this.#toFile(0, FILE_BYTES)) return;
    const fd = this.#fd as number;
    const reserved = () => {
      for (const slot of this.#slots) slot?.numbers.reserved(slot.reserved - step / 2);
    };
    if (wait) {
      this.#flush(fd);
      reserved();
      return;
    }
    this.#reserving = true;
    fdatasync(fd, (error) => {
      this.#reserving = false;
      if (this.#closed) closeSync(fd);
      else if (error === null) reserved();
      else this.#failed(error);
    });
  }

  #flush(fd: number): void {
    try {
      fdatasyncSync(fd);
    } catch (error) {
      this.#failed(error);
    }
  }

  /** The last that is written: the next start knows exactly what was used. */
  close(): void {
    if (this.#closed) return;
    this.#composeAll(() => {}, true);
    if (this.#toFile(0, FILE_BYTES)) this.#flush(this.#fd as number);
    this.#timer?.cancel();
    this.#closed = true;
    if (this.#fd !== undefined && !this.#reserving) closeSync(this.#fd);
    this.#fd = undefined;
  }

  #composeAll(before: (slot: Slot) => void, isClosed = false): void {
    for (const [index, slot] of this.#slots.entries()) {
      if (slot === undefined) continue;
      before(slot);
      this.#compose(index, isClosed);
    }
    this.#bytes.copy(this.#bytes, FILE_BYTES / COPIES, 0, FILE_BYTES / COPIES);
  }

  #compose(index: number, isClosed = false): void {
    const slot = this.#slots[index] as Slot;
    if (slot.isUsed) slot.usedAtMs = this.#clock.now();
    slot.sequence++;
    const { next, promised, events, losses } = slot.numbers.written(isClosed);
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
    try {
      this.#fd ??= this.#openFile();
      if (writeSync(this.#fd, this.#bytes, from, to - from, from) !== to - from) {
        throw new Error(`${this.#path}: the disk is full`);
      }
    } catch (error) {
      this.#failed(error);
      return false;
    }
    if (this.#problem) {
      this.#problem = false;
      this.#log.info('event numbers are kept again');
      this.reserve();
    }
    return true;
  }

  #failed(error: unknown): void {
    if (!this.#problem) {
      this.#log.error({ err: error }, 'event numbers are not kept: a restart may use them again');
    }
    this.#problem = true;
    this.#tryAgainMs = this.#clock.now() + AGAIN_MS;
    for (const slot of this.#slots) slot?.numbers.changed();
    this.later();
  }

  #openFile(): number {
    try {
      return openSync(this.#path, 'r+');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
    createFile(this.#path, this.#bytes);
    return openSync(this.#path, 'r+');
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
    this.#slots[index] = { key, numbers, isUsed: false, sequence, reserved: next, usedAtMs };
  }

  /** @returns What is to be told if numbers jump. */
  #leftBefore(from: number, next: number, sinceMs: number): Partial<Left> {
    if (next <= from) return {};
    const [firstAtMs, lastAtMs] = [Math.min(sinceMs, this.#clock.now()), this.#clock.now()];
    const unsure: Span = { count: 0, firstNum: from, lastNum: next - 1, firstAtMs, lastAtMs };
    return { unsure };
  }

  #isDamaged(error: unknown): void {
    const now = Math.max(this.#clock.now(), EARLIEST_MS);
    this.#firstOfUnknown = Math.floor(now * NUMBERS_PER_MS);
    const kept = join(dirname(this.#path), DAMAGED_NUMBERS);
    this.#log.error(
      { err: error, kept, next: this.#firstOfUnknown },
      'event numbers are not known',
    );
    try {
      copyFileSync(this.#path, kept);
      createFile(this.#path, this.#bytes);
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

/** The file, whole, and safe on the disk. */
function createFile(path: string, bytes: Buffer): void {
  const aside = `${path}.new`;
  writeFileSync(aside, bytes, { mode: 0o600 });
  flush(aside);
  renameSync(aside, path);
  flush(dirname(path));
}

function flush(path: string): void {
  const fd = openSync(path, 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

function machineBootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return '';
  }
}
