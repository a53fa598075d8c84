/** The radio packet log: while it is on, what is on the air goes into rotated files. */
import { join } from 'node:path';
import { errorMessage, SingulateError } from '../../shared/errors.js';
import { type LogLimits, PACKET_LOG_FILE } from '../../shared/log-files.js';
import { RotatingFile } from '../../shared/rotating-file.js';
import type { NativeRadio } from '../addon/addon.js';
import { lineText, PACKET_LOG_FORMAT, PacketLines } from './lines.js';

/** A busy air has some hundred packets in this time. */
const TAKE_MS = 100;
/** That the native core keeps between two takes. */
const KEPT_PACKETS = 8192;
const MAX_WAITING_BYTES = 4 * 1024 * 1024;

export class PacketLog {
  readonly #radio: NativeRadio;
  readonly #folder: string | undefined;
  readonly #limits: LogLimits;
  #file: RotatingFile | undefined;
  #lines = new PacketLines();
  #timer: NodeJS.Timeout | undefined;

  /** @param folder undefined: there is nowhere to write to. */
  constructor(radio: NativeRadio, folder: string | undefined, limits: LogLimits) {
    this.#radio = radio;
    this.#folder = folder;
    this.#limits = limits;
  }

  get isOn(): boolean {
    return this.#timer !== undefined;
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
    try {
      this.#radio.logPackets(KEPT_PACKETS);
    } catch (error) {
      const why = errorMessage(error);
      throw new SingulateError('STATE', `this radio module has no packet log: ${why}`);
    }
    this.#lines = new PacketLines();
    this.#file ??= new RotatingFile({
      path: join(this.#folder, PACKET_LOG_FILE),
      ...this.#limits,
      maxWaitingBytes: MAX_WAITING_BYTES,
      lossLine: (lost) => lineText(note('lost', { packets: lost })).trimEnd(),
    });
    const { module, model } = this.#radio.capabilities();
    this.#file.write(lineText(note('begin', { format: PACKET_LOG_FORMAT, module, model })));
    this.#timer = setInterval(() => this.#take(), TAKE_MS);
    this.#timer.unref();
  }

  #end(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#take();
    this.#radio.logPackets(0);
    void this.#file?.flush();
  }

  #take(): void {
    const { packets, lost } = this.#radio.packets();
    // The oldest are those that are lost.
    if (lost > 0) {
      this.#file?.write(lineText(note('lost', { packets: lost })));
      this.#lines = new PacketLines();
    }
    for (const packet of packets) this.#file?.write(lineText(this.#lines.toLine(packet)));
  }
}

/** About the log itself, by the clock of the machine. */
function note(name: string, fields: Record<string, number | string>): object {
  const timeNs = String(BigInt(Date.now()) * 1_000_000n);
  return { timeNs, direction: 'log', name, fields };
}
