/** The steps of an update. Each may be begun again after a restart at any moment. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { readStorage } from '../../platform/storage.js';
import type { Slot, UpdateEngine } from '../../platform/update-engine.js';
import { Backoff } from '../../shared/backoff.js';
import { errorMessage, isSingulateError } from '../../shared/errors.js';
import type { Logger } from '../../shared/log.js';
import type { Reach } from '../fetch/reach.js';
import { resumedFetch } from '../fetch/resumed-fetch.js';
import type { NamedFiles } from '../tls/named-files.js';
import type { Journal } from './journal.js';
import { isRunning, type UpdateRecord } from './update-record.js';

export interface UpdateRunOptions {
  engine: UpdateEngine;
  log: Logger;
  /** Reboots the device: this process goes down, or the service is stopped and started again. */
  reboot(): Promise<void>;
  /** Does the radio answer? Part of the health of a version. */
  radioAnswers(): boolean;
  /** Time in which a new version must become healthy. */
  confirmMs: number;
  maxBytes: number;
  /** That a request may name. */
  files: NamedFiles;
  /** Where a request may send the reader to. */
  reach: Reach;
  readStorage?: typeof readStorage;
}

const CHECK_MS = 250;
/** A device that reboots and reboots without coming up with the new slot is left alone. */
const MAX_REBOOTS = 3;

export class UpdateRun {
  /** True: what is on the disk was written by an earlier process. */
  #restarted = false;

  constructor(
    private readonly options: UpdateRunOptions,
    private readonly journal: Journal,
    private readonly file: string,
    private readonly signal: AbortSignal,
  ) {}

  /** Runs the update of the journal to its end, or to where the machine goes down. */
  async run(): Promise<void> {
    for (;;) {
      const { record } = this.journal;
      if (!isRunning(record) || this.signal.aborted) return;
      try {
        if ((await this.#step(record)) === 'down') return;
      } catch (error) {
        if (this.signal.aborted) return;
        await this.#fail(errorMessage(error));
      }
    }
  }

  /** After a start of the service: the device may have booted in between. */
  async resume(): Promise<void> {
    this.#restarted = true;
    try {
      const { record } = this.journal;
      if (isRunning(record) && record.target !== undefined) await this.#booted(record);
      else if (isRunning(record) && record.phase === 'installing') await this.#installed(record);
    } catch (error) {
      if (this.signal.aborted) return;
      await this.#fail(errorMessage(error));
    }
    await this.run();
  }

  /** A start without an update: a version that comes up well is no longer on trial. */
  async confirmBoot(): Promise<void> {
    const { engine, log } = this.options;
    try {
      const reason = await this.#untilHealthy(false);
      if (reason === '') await engine.markGood();
      else log.warn({ reason }, 'the booted version is not marked good');
    } catch (err) {
      if (!this.signal.aborted) log.debug({ err }, 'the booted version could not be marked good');
    }
  }

  async #step(record: UpdateRecord): Promise<'on' | 'down'> {
    const { engine } = this.options;
    switch (record.phase) {
      case 'downloading':
        await this.#fetch(record);
        return 'on';
      case 'installing':
        await this.#install(record);
        return 'on';
      case 'activating':
        await engine.activate(record.target ?? '');
        await this.journal.save({ ...record, phase: 'rebooting' });
        return 'on';
      case 'rollingBack':
        await engine.rollBack();
        return this.#reboot(record);
      case 'rebooting':
        return this.#reboot(record);
      default:
        await this.#confirm(record);
        return 'on';
    }
  }

  async #fetch(record: UpdateRecord): Promise<void> {
    const { request, mark = { bytes: 0 } } = record;
    if (request === undefined) throw new Error('the record of the update has no request');
    let now = record;
    const sha256 = await resumedFetch({
      ...this.options,
      request,
      mark,
      file: this.file,
      signal: this.signal,
      onMark: async (moved) => {
        now = { ...now, mark: moved };
        await this.journal.save(now);
      },
      onProgress: (done, total) => this.journal.progress.downloaded(now, done, total),
    });
    this.options.log.info({ sha256 }, 'the update bundle is there');
    await this.journal.save({ ...now, phase: 'installing', sha256 });
  }

  async #install(record: UpdateRecord): Promise<void> {
    const { engine, log } = this.options;
    if (this.#restarted && (await sha256Of(this.file)) !== record.sha256) {
      log.warn('the update bundle was damaged by the restart: it is downloaded once more');
      const { sha256: _sha256, mark: _mark, ...rest } = record;
      await this.journal.save({ ...rest, phase: 'downloading' });
      return;
    }
    const { version } = await engine.check(this.file);
    this.signal.throwIfAborted();
    const known = { ...record, version };
    await this.journal.save(known);
    log.info({ version }, 'the update bundle is right: it is installed');
    const target = await engine.install(
      this.file,
      (progress) => this.journal.progress.installed(known, progress),
      this.signal,
    );
    // The credentials of the request have served.
    const { request: _request, ...rest } = known;
    const { parts } = this.journal.progress;
    await this.journal.save({ ...rest, phase: 'activating', target, parts });
    await rm(this.file, { force: true });
  }

  async #reboot(record: UpdateRecord): Promise<'on' | 'down'> {
    if (record.reboots >= MAX_REBOOTS) {
      throw new Error(`the device does not boot as it shall (tried ${MAX_REBOOTS} times)`);
    }
    const counted = { ...record, reboots: record.reboots + 1 };
    await this.journal.save(counted);
    await this.options.reboot();
    return 'down';
  }

  /** Where the device is, according to the slot that runs. */
  async #booted(record: UpdateRecord): Promise<void> {
    const slots = await this.#slots();
    const target = slots.find(({ name }) => name === record.target);
    if (record.phase === 'rollingBack') {
      if (!target?.booted) await this.#fail(record.error);
      return;
    }
    if (target?.booted) {
      if (record.phase !== 'confirming') {
        await this.journal.save({ ...record, phase: 'confirming', reboots: 0 });
      }
      return;
    }
    const wasTried = target === undefined || target.state === 'failed';
    // What is activated is not bad: the boot loader must have found it so.
    if (wasTried || (record.phase === 'rebooting' && target.state === 'bad')) {
      throw new Error('the new version does not boot: the reader runs the old one');
    }
    if (record.phase === 'confirming') {
      throw new Error('the new version was not healthy: the reader runs the old one');
    }
    await this.journal.save({ ...record, phase: 'activating' });
  }

  /** RAUC activates what it has installed: a power cut just then is its first boot. */
  async #installed(record: UpdateRecord): Promise<void> {
    const booted = (await this.#slots()).find((slot) => slot.booted);
    if (booted === undefined || booted.name === record.from) return;
    const { request: _request, ...rest } = record;
    await this.journal.save({ ...rest, phase: 'confirming', target: booted.name });
  }

  /** The service of the device may come up after this one. */
  async #slots(): Promise<Slot[]> {
    const { engine, confirmMs } = this.options;
    const backoff = new Backoff({ firstMs: 200, maxMs: 10_000 });
    const end = performance.now() + confirmMs;
    for (;;) {
      try {
        return await engine.slots();
      } catch (error) {
        if (!isSingulateError(error, 'UNAVAILABLE') || performance.now() > end) throw error;
        await sleep(backoff.next(), undefined, { signal: this.signal });
      }
    }
  }

  async #confirm(record: UpdateRecord): Promise<void> {
    const { engine, log } = this.options;
    const reason = await this.#untilHealthy(record.radioAnswered);
    if (reason !== '') {
      log.warn({ version: record.version, reason }, 'the new version is not healthy: back');
      const error = `the new version was not healthy: ${reason}`;
      await this.journal.save({ ...record, phase: 'rollingBack', error, reboots: 0 });
      return;
    }
    await engine.markGood();
    log.info({ version: record.version }, 'the OS update is done');
    await this.#end({ ...record, phase: 'finished' });
  }

  /** @returns Why the version did not become healthy in its time; empty: it is. */
  async #untilHealthy(needsRadio: boolean): Promise<string> {
    const end = performance.now() + this.options.confirmMs;
    for (;;) {
      const reason = await this.#trouble(needsRadio);
      if (reason === '' || performance.now() >= end) return reason;
      await sleep(CHECK_MS, undefined, { signal: this.signal });
    }
  }

  async #trouble(needsRadio: boolean): Promise<string> {
    if (needsRadio && !this.options.radioAnswers()) return 'the radio does not answer';
    return this.options.engine.selfTest();
  }

  async #fail(error: string): Promise<void> {
    const { record } = this.journal;
    if (record === undefined) return;
    this.options.log.warn({ error, version: record.version }, 'the OS update has failed');
    if (record.phase === 'activating' || record.phase === 'rebooting') await this.#stay();
    const { request: _request, ...rest } = record;
    await this.#end({ ...rest, phase: 'failed', error });
  }

  /** What was activated shall not boot later, unlooked for. */
  async #stay(): Promise<void> {
    try {
      const booted = (await this.options.engine.slots()).find((slot) => slot.booted);
      if (booted !== undefined) await this.options.engine.activate(booted.name);
    } catch (err) {
      this.options.log.error({ err }, 'the slot that runs could not be made the next to boot');
    }
  }

  async #end(record: UpdateRecord): Promise<void> {
    try {
      const ended = { ...record, endedAt: new Date().toISOString() };
      await this.journal.end(ended, () => rm(this.file, { force: true }));
    } catch (err) {
      this.options.log.error({ err }, 'the end of the OS update could not be written');
    }
  }
}

/** @returns undefined if there is no such file. */
async function sha256Of(path: string): Promise<string | undefined> {
  const hash = createHash('sha256');
  try {
    for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  return hash.digest('hex');
}
