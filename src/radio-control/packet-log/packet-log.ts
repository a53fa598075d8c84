/** The radio packet log: while it is on, what is on the air goes into rotated files. */
import { join } from 'node:path';
import { SingulateError } from '../../shared/errors.js';
import { type LogLimits, PACKET_LOG_FILE } from '../../shared/log-files.js';
import { RotatingFile } from '../../shared/rotating-file.js';
import type { NativeCapabilities } from '../addon/addon.js';
import { lineText, PACKET_LOG_FORMAT, type PacketLine } from './lines.js';
import type { PacketFeed } from './packet-feed.js';

const MAX_WAITING_BYTES = 4 * 1024 * 1024;

export class PacketLog {
  readonly #feed: PacketFeed;
  readonly #module: () => NativeCapabilities;
  readonly #folder: string | undefined;
  readonly #limits: LogLimits;
  #file: RotatingFile | undefined;
  #unfollow: (() => void) | undefined;

  /** @param folder undefined: there is nowhere to write to. */
  constructor(
    feed: PacketFeed,
    module: () => NativeCapabilities,
    folder: string | undefined,
    limits: LogLimits,
  ) {
    this.#feed = feed;
    this.#module = module;
    this.#folder = folder;
    this.#limits = limits;
  }

  get isOn(): boolean {
    return this.#unfollow !== undefined;
  }

  /** @throws STATE if this radio module cannot show its packets, or there is no folder. */
  set(on: boolean): void {
    if (on === this.isOn) return;
    if (on) this.#begin();
    else this.#end();
  }

  /** For the end of the process. */
  async close(): Promise<void> {
    this.set(false);
    await this.#file?.close();
  }

  #begin(): void {
    if (this.#folder === undefined) {
      throw new SingulateError('STATE', 'the radio service was started without a folder for logs');
    }
    this.#unfollow = this.#feed.follow({ take: (lines, lost) => this.#write(lines, lost) });
    this.#file ??= new RotatingFile({
      path: join(this.#folder, PACKET_LOG_FILE),
      ...this.#limits,
      maxWaitingBytes: MAX_WAITING_BYTES,
      lossLine: (lost) => lineText(note('lost', { packets: lost })).trimEnd(),
    });
    const { module, model } = this.#module();
    this.#file.write(lineText(note('begin', { format: PACKET_LOG_FORMAT, module, model })));
  }

  #end(): void {
    this.#unfollow?.();
    this.#unfollow = undefined;
    void this.#file?.flush();
  }

  #write(lines: readonly PacketLine[], lost: number): void {
    if (lost > 0) this.#file?.write(lineText(note('lost', { packets: lost })));
    for (const line of lines) this.#file?.write(lineText(line));
  }
}

/** About the log itself, by the clock of the machine. */
function note(name: string, fields: Record<string, number | string>): object {
  const timeNs = String(BigInt(Date.now()) * 1_000_000n);
  return { timeNs, direction: 'log', name, fields };
}
