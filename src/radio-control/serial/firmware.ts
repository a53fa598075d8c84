/**
 * Loads firmware into a module of the Mercury protocol: into the bootloader, the old application
 * erased, the new one written piece by piece, checked by the module, started.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { configError, errorMessage } from '../../shared/errors.js';
import { OPCODE, type Reply, STATUS } from './mercury-frame.js';
import { askMercury, type FoundModule, probeLine, readVersion } from './probe.js';
import { SerialLine } from './serial-port.js';

const MAGIC = Buffer.from('TM-SPaik', 'latin1');
/** Magic, sector, length of the image. */
const HEADER_BYTES = 16;
/** Where the application is; the bootloader itself is never loaded. */
const APPLICATION_SECTOR = 2;
/** They keep flash from being written by accident; every host has them. */
const ERASE_PASSWORD = 0x08959121;
const WRITE_PASSWORD = 0x02254410;
const PIECE_BYTES = 240;
/** A bootloader knows this rate, whatever it starts with. */
const SAFE_BAUD = 9600;
const LOAD_BAUD = 115_200;
const ANSWER_MS = 2000;
const ERASE_MS = 30_000;
const BOOT_MS = 5000;
const INTO_BOOTLOADER_MS = 200;

export interface LoadProgress {
  step: 'bootloader' | 'erase' | 'write' | 'verify' | 'start';
  /** Of the image. */
  bytes: number;
  total: number;
}

/** The image of a firmware file. @throws CONFIG if it is none for the application of a module */
export function readFirmware(file: Buffer): Buffer {
  if (file.length < HEADER_BYTES || !file.subarray(0, MAGIC.length).equals(MAGIC)) {
    throw configError('it is no firmware of a Mercury module');
  }
  const sector = file.readUInt32BE(8);
  if (sector !== APPLICATION_SECTOR) {
    throw configError(`it is for sector ${sector}; only application firmware can be loaded`);
  }
  const length = file.readUInt32BE(12);
  if (length === 0 || file.length < HEADER_BYTES + length) {
    throw configError(
      `it is cut short: ${file.length - HEADER_BYTES} bytes of an image of ${length}`,
    );
  }
  return file.subarray(HEADER_BYTES, HEADER_BYTES + length);
}

/**
 * A module that fails on the way stays in its bootloader, and can be loaded again.
 * @throws Error that names the step
 * @returns the module as it is with its new firmware
 */
export async function loadFirmware(
  path: string,
  image: Buffer,
  onProgress: (progress: LoadProgress) => void,
): Promise<FoundModule> {
  const found = await probeLine(path);
  if (found?.family !== 'mercury') {
    throw new Error(`${path}: ${found === undefined ? 'no module answers' : 'no Mercury module'}`);
  }
  const line = await SerialLine.open(path, found.baud);
  try {
    return await new Load(line, image, onProgress).run(found.baud);
  } finally {
    await line.close();
  }
}

class Load {
  constructor(
    private readonly line: SerialLine,
    private readonly image: Buffer,
    private readonly onProgress: (progress: LoadProgress) => void,
  ) {}

  async run(baud: number): Promise<FoundModule> {
    this.#tell('bootloader', 0);
    await this.#enterBootloader(baud);
    this.#tell('erase', 0);
    const erase = Buffer.alloc(5);
    erase.writeUInt32BE(ERASE_PASSWORD, 0);
    erase[4] = APPLICATION_SECTOR;
    await this.#ask('erasing', OPCODE.eraseFlash, erase, ERASE_MS);
    for (let at = 0; at < this.image.length; at += PIECE_BYTES) {
      this.#tell('write', at);
      await this.#write(at);
    }
    this.#tell('verify', this.image.length);
    await this.#ask('the check of the image', OPCODE.verifyImage, Buffer.alloc(0), BOOT_MS);
    this.#tell('start', this.image.length);
    const started = await this.#ask(
      'the start of the application',
      OPCODE.bootApplication,
      Buffer.alloc(0),
      BOOT_MS,
    );
    const module = readVersion(started, LOAD_BAUD);
    if (module?.program !== 'application') {
      throw new Error('the new application does not start; the module stays in its bootloader');
    }
    return module;
  }

  /** Some bootloaders keep the rate of the application and some do not: at the lowest both agree. */
  async #enterBootloader(baud: number): Promise<void> {
    if (baud !== SAFE_BAUD) await this.#setBaud(SAFE_BAUD);
    const entered = await askMercury(this.line, OPCODE.bootBootloader, new Uint8Array(), ANSWER_MS);
    // One that is there already does not know the command.
    const { status } = answered('the way into the bootloader', entered);
    if (status !== STATUS.success && status !== STATUS.invalidOpcode) {
      throw refused('the way into the bootloader', status);
    }
    await sleep(INTO_BOOTLOADER_MS);
    await this.#setBaud(LOAD_BAUD);
  }

  async #setBaud(baud: number): Promise<void> {
    const rate = Buffer.alloc(4);
    rate.writeUInt32BE(baud);
    await this.#ask(`${baud} baud`, OPCODE.setBaudRate, rate, ANSWER_MS);
    await this.line.setBaudRate(baud);
  }

  async #write(at: number): Promise<void> {
    const piece = this.image.subarray(at, at + PIECE_BYTES);
    const data = Buffer.alloc(9 + piece.length);
    data.writeUInt32BE(WRITE_PASSWORD, 0);
    data.writeUInt32BE(at, 4);
    data[8] = APPLICATION_SECTOR;
    data.set(piece, 9);
    await this.#ask(`writing at ${at}`, OPCODE.writeFlash, data, ANSWER_MS);
  }

  async #ask(what: string, opcode: number, data: Uint8Array, timeoutMs: number): Promise<Reply> {
    // A line that goes says so in the words of the system, or of the package.
    const asked = askMercury(this.line, opcode, data, timeoutMs).catch((error) => {
      throw new Error(`${what}: ${errorMessage(error)}`);
    });
    const reply = answered(what, await asked);
    if (reply.status !== STATUS.success) throw refused(what, reply.status);
    return reply;
  }

  #tell(step: LoadProgress['step'], bytes: number): void {
    this.onProgress({ step, bytes, total: this.image.length });
  }
}

function answered(what: string, reply: Reply | undefined): Reply {
  if (reply === undefined) throw new Error(`${what}: the module does not answer`);
  return reply;
}

function refused(what: string, status: number): Error {
  return new Error(
    `${what}: the module refuses it, status ${status.toString(16).padStart(4, '0')}`,
  );
}
