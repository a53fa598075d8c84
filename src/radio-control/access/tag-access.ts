/**
 * One-off access to a tag (AccessTag of the contract): one call after another, each beside the
 * inventory that runs or with the radio for itself. An inventory that starts or ends in between
 * costs a call nothing but time: it goes on in the other way.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { AccessTagRequest, AccessTagResponseInput } from '../../contract/messages.js';
import { invalid, SingulateError } from '../../shared/errors.js';
import type { Logger } from '../../shared/log.js';
import type { AccessRequest, NativeAccess, NativeRadio } from '../addon/addon.js';
import { fromNative } from '../inventory.js';
import { accessInput } from '../plan/access.js';
import { Turns } from './turns.js';

const MOST_WAITING = 16;
const DEFAULT_TIMEOUT_MS = 1000;
const MAX_TIMEOUT_MS = 60_000;
/** A radio that an inventory has just left is free a moment later. */
const AGAIN_MS = 2;
/** A running round may hold up the end of a search for so long. */
const GRACE_MS = 250;

type Request = Pick<
  AccessTagRequest,
  'tag' | 'antennas' | 'transmitPowerCdbm' | 'operations' | 'timeoutMs'
>;

/** What is needed of the inventory. */
export interface AccessedRadio {
  /** Throws UNAVAILABLE while the module is not connected. */
  readonly connectedRadio: Pick<NativeRadio, 'accessTag' | 'cancelAccess' | 'pauseAccess'>;
}

export class TagAccess {
  readonly #inventory: AccessedRadio;
  readonly #log: Logger;
  readonly #turns = new Turns(MOST_WAITING);
  /** The native call that is under way; settles without an error. */
  #underWay: Promise<unknown> | undefined;
  #radio: AccessedRadio['connectedRadio'] | undefined;
  /** Calls of between() that have the radio next. */
  #held = Promise.resolve();
  #holds = 0;

  constructor(inventory: AccessedRadio, log: Logger) {
    this.#inventory = inventory;
    this.#log = log;
  }

  /**
   * @param signal The caller has gone: the search ends, what is on the air is finished.
   * Throws INVALID, NOT_FOUND, STATE, TOO_MANY or UNAVAILABLE.
   */
  async access(request: Request, signal: AbortSignal): Promise<AccessTagResponseInput> {
    const from = performance.now();
    const timeoutMs = request.timeoutMs || DEFAULT_TIMEOUT_MS;
    if (timeoutMs > MAX_TIMEOUT_MS) {
      throw invalid([
        { field: 'timeout_ms', message: `${timeoutMs} given; allowed: 0..${MAX_TIMEOUT_MS}` },
      ]);
    }
    await this.#turn(timeoutMs, signal);
    try {
      const done = await this.#untilDone(
        nativeRequestOf(request),
        timeoutMs,
        from + timeoutMs,
        signal,
      );
      const elapsedMs = Math.round(performance.now() - from);
      const { epc, antenna, rssiCdbm, results } = done;
      const failed = results.filter(({ status }) => status !== 0).length;
      this.#log.info({ antenna, operations: results.length, failed, elapsedMs }, 'tag accessed');
      return { epc, antenna, rssiCdbm, results, elapsedMs };
    } finally {
      this.#turns.end();
    }
  }

  /**
   * Does something that needs the radio, as the start of an inventory: a search that has it makes
   * way, and goes on after it. Calls are done in their order. A tag that was found already is
   * operated on first, which takes some hundredths of a second as a rule.
   */
  async between<T>(work: () => T | Promise<T>): Promise<T> {
    this.#holds++;
    const before = this.#held;
    let release = () => {};
    this.#held = new Promise((resolve) => {
      release = resolve;
    });
    try {
      await before;
      this.#radio?.pauseAccess();
      await this.#underWay;
      return await work();
    } finally {
      this.#holds--;
      release();
    }
  }

  /** Waits for it, no longer than the call may take. */
  async #turn(timeoutMs: number, signal: AbortSignal): Promise<void> {
    const waiting = new AbortController();
    const cancel = () => waiting.abort(cancelled());
    const late = setTimeout(() => waiting.abort(notFound(timeoutMs)), timeoutMs);
    if (signal.aborted) cancel();
    signal.addEventListener('abort', cancel, { once: true });
    try {
      await this.#turns.begin(waiting.signal);
    } finally {
      clearTimeout(late);
      signal.removeEventListener('abort', cancel);
    }
  }

  async #untilDone(
    request: AccessRequest,
    timeoutMs: number,
    until: number,
    signal: AbortSignal,
  ): Promise<NativeAccess> {
    for (;;) {
      while (this.#holds > 0) await this.#held;
      if (signal.aborted) throw cancelled();
      const left = Math.ceil(until - performance.now());
      if (left <= 0) throw notFound(timeoutMs);
      const access = await this.#once({ ...request, timeoutMs: left }, signal);
      if (access.outcome === 'done') return access;
      if (signal.aborted) throw cancelled();
      if (access.outcome === 'notFound') throw notFound(timeoutMs);
      await sleep(AGAIN_MS);
    }
  }

  async #once(request: AccessRequest, signal: AbortSignal): Promise<NativeAccess> {
    const radio = this.#inventory.connectedRadio;
    const cancel = () => radio.cancelAccess();
    // A radio that is held up does not come to it.
    const late = setTimeout(() => radio.pauseAccess(), request.timeoutMs + GRACE_MS);
    signal.addEventListener('abort', cancel, { once: true });
    try {
      const access = radio.accessTag(request);
      this.#radio = radio;
      this.#underWay = access.catch(() => {});
      return await access;
    } catch (error) {
      throw fromNative(error);
    } finally {
      clearTimeout(late);
      signal.removeEventListener('abort', cancel);
      this.#radio = undefined;
      this.#underWay = undefined;
    }
  }
}

function nativeRequestOf({ tag, antennas, transmitPowerCdbm, operations }: Request): AccessRequest {
  const { epc, bank, pointer, length, mask } = tag ?? {};
  return {
    tag: {
      epc: epc ?? new Uint8Array(),
      bank: bank ?? 0,
      pointer: pointer ?? 0,
      length: length ?? 0,
      mask: mask ?? new Uint8Array(),
    },
    antennas: antennas ?? [],
    ...(typeof transmitPowerCdbm === 'number' ? { transmitPowerCdbm } : {}),
    operations: (operations ?? []).map(accessInput),
    timeoutMs: DEFAULT_TIMEOUT_MS,
  };
}

function notFound(timeoutMs: number): SingulateError {
  return new SingulateError('NOT_FOUND', `no tag that matches answered within ${timeoutMs} ms`);
}

function cancelled(): SingulateError {
  return new SingulateError('UNAVAILABLE', 'the call was cancelled');
}
