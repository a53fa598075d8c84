/** What a campaign does to the machine: a small disk that can be filled, a clock that can be set. */
import { spawnSync } from 'node:child_process';
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const DISK_MEGABYTES = 80;
const MOST_FILES = 20_000;

/** A folder for the state, on a file system of its own where that is possible. */
export class Disk {
  readonly stateDir: string;

  static open(): Disk {
    const root = mkdtempSync(join(tmpdir(), 'campaign-'));
    const options = `size=${DISK_MEGABYTES}m,nr_inodes=${MOST_FILES}`;
    const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', root]);
    return new Disk(root, status === 0);
  }

  private constructor(
    private readonly root: string,
    /** False: it is that of the machine, which nobody fills. */
    readonly isOwn: boolean,
  ) {
    this.stateDir = join(root, 'state');
    mkdirSync(this.stateDir);
  }

  /** Not one byte more can be written. */
  fill(): void {
    const fd = openSync(join(this.root, 'filler'), 'a');
    try {
      for (let size = 1 << 20; size >= 1; size >>= 4) {
        const bytes = Buffer.alloc(size, 1);
        while (writeSync(fd, bytes) === size);
      }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    } finally {
      closeSync(fd);
    }
  }

  free(): void {
    rmSync(join(this.root, 'filler'), { force: true });
  }

  /** All files of the state folder, by their paths in it. */
  files(): string[] {
    return readdirSync(this.stateDir, { recursive: true }).map(String).sort();
  }

  close(): void {
    if (this.isOwn) spawnSync('umount', ['-l', this.root]);
    rmSync(this.root, { recursive: true, force: true });
  }
}

const LIBRARIES = ['x86_64-linux-gnu', 'aarch64-linux-gnu', 'arm-linux-gnueabihf'].map(
  (machine) => `/usr/lib/${machine}/faketime/libfaketime.so.1`,
);

/** The wall clock of the reader, by libfaketime where it is installed. */
export class Clock {
  readonly #file: string;
  readonly #library = LIBRARIES.find((file) => existsSync(file));
  #offsetS = 0;

  /** @param folder For a file of its own. */
  constructor(folder: string) {
    this.#file = join(folder, 'clock');
    this.step(0);
  }

  get canStep(): boolean {
    return this.#library !== undefined;
  }

  /** For the processes of the reader. */
  get environment(): NodeJS.ProcessEnv {
    if (this.#library === undefined) return {};
    return {
      LD_PRELOAD: this.#library,
      FAKETIME_TIMESTAMP_FILE: this.#file,
      FAKETIME_CACHE_DURATION: '1',
      // A clock that is set moves the wall clock, and no other.
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
      DONT_FAKE_MONOTONIC: '1',
      FAKETIME_DONT_RESET: '1',
    };
  }

  /** @param seconds Forward, or back. */
  step(seconds: number): void {
    this.#offsetS += seconds;
    const sign = this.#offsetS < 0 ? '-' : '+';
    // A process that reads it meanwhile finds it whole.
    writeFileSync(`${this.#file}.next`, `${sign}${Math.abs(this.#offsetS)}\n`);
    renameSync(`${this.#file}.next`, this.#file);
  }
}
