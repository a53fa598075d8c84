/** The upgrade status object, and when it is told. */
import {
  type InstallProgress,
  UPDATE_PARTS,
  type UpdatePart,
} from '../../platform/update-engine.js';
import type { UpgradeStatus } from '../api/os-update.js';
import type { UpdateRecord } from './update-record.js';

/** Shares of the whole: the download is half of it. */
const BEHIND_DOWNLOAD = 50;
const BEHIND_INSTALL = 95;
const OVERALL: Partial<Record<UpdateRecord['phase'], number>> = {
  activating: BEHIND_INSTALL,
  rebooting: 96,
  confirming: 98,
  finished: 100,
};
const MIN_MS = 500;

type Parts = Record<UpdatePart, number>;

function noParts(): Parts {
  return Object.fromEntries(UPDATE_PARTS.map((part) => [part, 0])) as Parts;
}

export class Progress {
  #download = 0;
  #install = 0;
  #overall = 0;
  #parts = noParts();
  #last = '';
  #lastState = '';
  #lastMs = 0;

  /** @param tell Gets the object when it changed; while only percents move, twice a second. */
  constructor(private readonly tell: (status: UpgradeStatus) => void) {}

  reset(): void {
    this.#download = 0;
    this.#install = 0;
    this.#overall = 0;
    this.#parts = noParts();
  }

  /** Of an earlier process, as far as its record tells. */
  restore({ parts, phase }: UpdateRecord): void {
    if (parts !== undefined) this.#parts = parts;
    if (phase === 'rollingBack') this.#overall = OVERALL.confirming ?? 0;
  }

  get parts(): Parts {
    return this.#parts;
  }

  /** @param total undefined: the server does not say how long the file is. */
  downloaded(record: UpdateRecord, done: number, total: number | undefined): void {
    // A whole file alone is 100: this may be called once more before its digest is looked at.
    if (total !== undefined && total > 0) {
      this.#download = Math.min(99, Math.floor((100 * done) / total));
    }
    this.update(record);
  }

  installed(record: UpdateRecord, { overall, parts }: InstallProgress): void {
    this.#install = overall;
    this.#parts = { ...this.#parts, ...parts };
    this.update(record);
  }

  status({ kind, phase, error }: UpdateRecord): UpgradeStatus {
    if (phase !== 'downloading' && phase !== 'failed' && kind === 'update') this.#download = 100;
    // Where it broke off is what a failed one shows.
    this.#overall = OVERALL[phase] ?? (phase === 'rollingBack' ? this.#overall : this.#fetched());
    return {
      // What an activation does is over before anyone could ask.
      status: phase === 'activating' ? 'rebooting' : phase,
      imageDownloadProgress: this.#download,
      overallUpdateProgress: this.#overall,
      updateProgressDetails: this.#parts,
      ...(error === '' ? {} : { error }),
    };
  }

  update(record: UpdateRecord): void {
    const status = this.status(record);
    const text = JSON.stringify(status);
    const now = performance.now();
    if (text === this.#last) return;
    if (status.status === this.#lastState && now - this.#lastMs < MIN_MS) return;
    this.#last = text;
    this.#lastState = status.status;
    this.#lastMs = now;
    this.tell(status);
  }

  #fetched(): number {
    const install = (this.#install * (BEHIND_INSTALL - BEHIND_DOWNLOAD)) / 100;
    return Math.floor((this.#download * BEHIND_DOWNLOAD) / 100 + install);
  }
}
