/**
 * Updates of the OS, one at a time: download, signature, the slot that does not run, boot,
 * health, and back if need be. Whatever cuts one off, it goes on from its record on the disk.
 */

import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { SingulateError } from '../../shared/errors.js';
import type { StateFaults } from '../../shared/state-faults.js';
import type { LastOsUpdate, OsUpdate, UpgradeStatus } from '../api/os-update.js';
import { fetchFault } from '../fetch/fetch-fault.js';
import { FetchProblem, shownUrl } from '../fetch/fetch-source.js';
import { lookAtFile } from '../fetch/large-file.js';
import { checkOsUpdate } from './check-request.js';
import { Journal } from './journal.js';
import { isRunning, type UpdateRecord } from './update-record.js';
import { UpdateRun, type UpdateRunOptions } from './update-run.js';

export interface UpdaterOptions
  extends Omit<UpdateRunOptions, 'confirmMs' | 'maxBytes'>,
    Partial<Pick<UpdateRunOptions, 'confirmMs' | 'maxBytes'>> {
  /** update.json and the download. */
  folder: string;
  /** Takes an update.json that cannot be used; left out: it is an error. */
  faults?: StateFaults;
  firmwareUpdateProgress(status: UpgradeStatus): void;
}

const CONFIRM_MS = 5 * 60_000;
const MAX_BYTES = 4 * 1024 ** 3;

export class Updater {
  readonly #options: UpdaterOptions;
  readonly #journal: Journal;
  readonly #file: string;
  readonly #run: UpdateRun;
  readonly #stop = new AbortController();
  /** A request is being looked at: another one must wait. */
  #starting = false;
  #running: Promise<void> = Promise.resolve();

  constructor(options: UpdaterOptions) {
    this.#options = options;
    this.#file = join(options.folder, 'download');
    this.#journal = new Journal(options.folder, options.firmwareUpdateProgress, options.faults);
    const runOptions = { confirmMs: CONFIRM_MS, maxBytes: MAX_BYTES, ...options };
    this.#run = new UpdateRun(runOptions, this.#journal, this.#file, this.#stop.signal);
  }

  /** To be called once, before anything else. @throws CONFIG */
  async open(): Promise<void> {
    await this.#options.engine.open();
    await this.#journal.load();
    const { record } = this.#journal;
    // What a kill left behind between the end of an update and its file.
    if (!isRunning(record) || record.target !== undefined) await rm(this.#file, { force: true });
  }

  /** Goes on with what a restart broke off. To be called once, when the service is up. */
  resume(): void {
    const { record } = this.#journal;
    if (!isRunning(record)) {
      this.#go(this.#run.confirmBoot());
      return;
    }
    const { phase, version } = record;
    this.#options.log.info({ phase, version }, 'the OS update goes on');
    this.#go(this.#run.resume());
  }

  /** undefined: none runs. */
  get status(): UpgradeStatus | undefined {
    const { record, progress } = this.#journal;
    return isRunning(record) ? progress.status(record) : undefined;
  }

  /** The last one that ended; undefined if there was none, or one runs. */
  get last(): LastOsUpdate | undefined {
    const { record } = this.#journal;
    if (record === undefined || (record.phase !== 'finished' && record.phase !== 'failed')) {
      return undefined;
    }
    const { kind, phase, version, error, endedAt = '' } = record;
    return { kind, status: phase, version, error, endedAt };
  }

  /** Version of the slot to go back to; empty: there is none, or it is not known. */
  async revertVersion(): Promise<string> {
    const slot = await this.#options.engine.revertSlot().catch(() => undefined);
    return slot?.version ?? '';
  }

  /** Version of the applications, where the device knows better than this process. */
  async applicationVersion(): Promise<string | undefined> {
    return this.#options.engine.applicationVersion().catch(() => undefined);
  }

  /**
   * Takes an update on; it is on the disk when this returns.
   * @returns To be called when the client has its answer. @throws INVALID, STATE, UNAVAILABLE
   */
  async begin(value: unknown): Promise<() => void> {
    return this.#take(async () => {
      const request = await checkOsUpdate(value, this.#options.files);
      await this.#needIdle();
      await this.#lookAtFile(request);
      await rm(this.#file, { force: true });
      await this.#save('update', 'downloading', { request });
      this.#options.log.info({ url: shownUrl(request.url) }, 'OS update begins');
    });
  }

  /** @returns As begin. @throws NOT_FOUND, STATE, UNAVAILABLE */
  async revert(): Promise<() => void> {
    return this.#take(async () => {
      await this.#needIdle();
      const slot = await this.#options.engine.revertSlot();
      if (slot === undefined) {
        throw new SingulateError('NOT_FOUND', 'there is no other version to go back to');
      }
      const { name: target, version } = slot;
      await this.#save('revert', 'activating', { target, version });
      this.#options.log.info({ slot: target, version }, 'OS revert begins');
    });
  }

  /** The update goes on at the next start. */
  async close(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  async #take(prepare: () => Promise<void>): Promise<() => void> {
    if (this.#starting || isRunning(this.#journal.record)) {
      throw new SingulateError('STATE', 'an OS update runs already');
    }
    this.#starting = true;
    try {
      await prepare();
    } finally {
      this.#starting = false;
    }
    return () => this.#go(this.#run.run());
  }

  /** A server that is away for now is asked again by the download, as often as the request says. */
  async #lookAtFile(request: OsUpdate): Promise<void> {
    const { folder, maxBytes = MAX_BYTES, readStorage, files, reach, log } = this.#options;
    const limits = {
      folder,
      maxBytes,
      files,
      reach,
      ...(readStorage === undefined ? {} : { readStorage }),
    };
    const { signal } = this.#stop;
    try {
      await lookAtFile(request, limits, signal);
    } catch (error) {
      if (signal.aborted) throw new SingulateError('UNAVAILABLE', 'the reader is stopping');
      if (!(error instanceof FetchProblem)) throw error;
      if (!error.passing) throw fetchFault(error);
      log.info({ reason: error.message }, 'the OS update begins with a server that is away');
    }
  }

  async #needIdle(): Promise<void> {
    const { idle } = await this.#options.engine.status();
    if (!idle) throw new SingulateError('STATE', 'the device installs an update already');
  }

  async #save(
    kind: UpdateRecord['kind'],
    phase: UpdateRecord['phase'],
    more: Partial<UpdateRecord>,
  ): Promise<void> {
    const slots = await this.#options.engine.slots();
    this.#journal.progress.reset();
    await this.#journal.save({
      kind,
      phase,
      version: '',
      reboots: 0,
      from: slots.find(({ booted }) => booted)?.name ?? '',
      radioAnswered: this.#options.radioAnswers(),
      error: '',
      startedAt: new Date().toISOString(),
      ...more,
    });
  }

  #go(work: Promise<void>): void {
    const safe = work.catch((err) =>
      this.#options.log.error({ err }, 'the OS update stands still'),
    );
    this.#running = Promise.all([this.#running, safe]).then(() => {});
  }
}
