/**
 * Packed blocks of an endpoint on disk: files of frames that are only appended to and removed as
 * wholes. Each frame has a check sum; whatever a crash or a worn-out flash leaves behind is
 * noticed, left out, and shows as a gap in the numbers.
 *
 * A frame: "SGS1", check sum of what follows (u32), bytes of the packed block (u32), of the
 * unpacked one (u32), number of events (u32), number of the first event, time of the first and of
 * the last (f64 each), the packed block. All little-endian.
 */
import {
  closeSync,
  fdatasync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { crc32, deflateRawSync } from 'node:zlib';
import { type BlockMeta, EventBlock } from './block.js';
import type { BlockKeeper, Part, Span } from './ring.js';

const MAGIC = 0x31534753;
const MAGIC_BYTES = Buffer.from('SGS1');
const HEADER_BYTES = 44;
const FILE_BYTES = 4_000_000;
const SYNC_MS = 1000;
/** Numbers are reserved in steps: after a crash it is known which may have been used. */
const RESERVE = 1000;

interface Frame {
  file: SpillFile;
  at: number;
  bytes: number;
}

interface SpillFile {
  path: string;
  bytes: number;
  /** Frames that are still needed. */
  frames: number;
}

interface Position {
  /** Events with smaller numbers have been delivered. */
  from: number;
  /** Numbers below may have been used. */
  next: number;
  untold?: readonly Span[];
}

export class Spill implements BlockKeeper {
  readonly #folder: string;
  readonly #maxBytes: number;
  readonly #onError: (error: unknown) => void;
  readonly #frames = new Map<EventBlock, Frame>();
  #files: SpillFile[] = [];
  #fd: number | undefined;
  #fileNumber = 1;
  #bytes = 0;
  #position: Position = { from: 1, next: 1 };
  #syncTimer: NodeJS.Timeout | undefined;
  #closed = false;
  /** What was on disk, oldest first. */
  readonly blocks: EventBlock[] = [];
  /** Numbers that are missing between and behind those. */
  readonly gaps: Span[] = [];

  /**
   * Reads the folder, makes it if it is not there. @throws if it cannot be written.
   * @param nowMs The time that is told of events whose own time is lost.
   */
  constructor(folder: string, maxBytes: number, nowMs: number, onError: (error: unknown) => void) {
    this.#folder = folder;
    this.#maxBytes = maxBytes;
    this.#onError = onError;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    this.#loadPosition();
    const names = readdirSync(folder).filter((name) => /^\d{8}\.spill$/.test(name));
    for (const name of names.sort()) this.#loadFile(name);
    this.#findGaps(nowMs);
  }

  /** Number of the next event: none before it was used. */
  get nextNum(): number {
    return this.#position.next;
  }

  /** Losses of before that the client was not told. */
  get untold(): readonly Span[] {
    return this.#position.untold ?? [];
  }

  get isFull(): boolean {
    return this.#bytes > this.#maxBytes;
  }

  /** To be told each time a number was used. */
  used(num: number): void {
    if (num < this.#position.next) return;
    this.#position = { ...this.#position, next: num + RESERVE };
    this.#savePosition();
  }

  keep(block: EventBlock, packed: Buffer): void {
    if (this.#closed) return;
    try {
      const frame = this.#append(block.meta, packed);
      this.#frames.set(block, frame);
      block.moveTo({ read: () => read(frame) });
    } catch (error) {
      // It stays in memory.
      this.#onError(error);
    }
  }

  release(block: EventBlock): void {
    const frame = this.#frames.get(block);
    if (frame === undefined) return;
    this.#frames.delete(block);
    frame.file.frames--;
    this.#removeUnused();
  }

  /** As keep(), at once, of a block that is not packed. */
  keepNow(block: EventBlock): void {
    this.#write(block, block.next, block.meta.count);
  }

  /** Events that were on their way; those of blocks that are on disk already are left there. */
  keepParts(parts: readonly Part[]): void {
    for (const { block, from, to } of parts) {
      if (!this.#frames.has(block)) this.#write(block, from, to);
    }
  }

  /**
   * @param from Events with smaller numbers have been delivered.
   * @param untold Losses that the client does not know of.
   */
  close(from: number, next: number, untold: readonly Span[] = []): void {
    this.#closed = true;
    clearTimeout(this.#syncTimer);
    this.#position = { from, next, untold };
    this.#savePosition();
    if (this.#fd !== undefined) closeSync(this.#fd);
    this.#fd = undefined;
  }

  #write(block: EventBlock, from: number, to: number): void {
    try {
      const { meta, packed } = packRange(block, from, to);
      this.#append(meta, packed);
    } catch (error) {
      this.#onError(error);
    }
  }

  #append(meta: BlockMeta, packed: Buffer): Frame {
    const file = this.#openFile();
    const at = file.bytes;
    const bytes = HEADER_BYTES + packed.length;
    const frame = Buffer.concat([header(meta, packed), packed]);
    if (writeSync(this.#fd as number, frame, 0, bytes, at) !== bytes) {
      throw new Error(`${file.path}: the disk is full`);
    }
    file.bytes += bytes;
    file.frames++;
    this.#bytes += bytes;
    this.#sync();
    return { file, at, bytes };
  }

  #openFile(): SpillFile {
    const last = this.#files[this.#files.length - 1];
    if (this.#fd !== undefined && last !== undefined && last.bytes < FILE_BYTES) return last;
    if (this.#fd !== undefined) closeSync(this.#fd);
    const name = `${String(this.#fileNumber++).padStart(8, '0')}.spill`;
    const file = { path: join(this.#folder, name), bytes: 0, frames: 0 };
    this.#fd = openSync(file.path, 'w');
    this.#files.push(file);
    return file;
  }

  #removeUnused(): void {
    while (this.#files.length > 0) {
      const file = this.#files[0] as SpillFile;
      if (file.frames > 0) return;
      this.#files.shift();
      if (this.#files.length === 0 && this.#fd !== undefined) {
        closeSync(this.#fd);
        this.#fd = undefined;
      }
      this.#bytes -= file.bytes;
      rmSync(file.path, { force: true });
    }
  }

  /** What was written is safe from a power cut a second later. */
  #sync(): void {
    this.#syncTimer ??= setTimeout(() => {
      this.#syncTimer = undefined;
      const fd = this.#fd;
      if (fd !== undefined) fdatasync(fd, () => {});
    }, SYNC_MS).unref();
  }

  #loadPosition(): void {
    try {
      const text = readFileSync(join(this.#folder, 'position.json'), 'utf8');
      const { from, next, untold } = JSON.parse(text) as Position;
      if (from >= 1 && next >= 1) this.#position = { from, next, untold: untold ?? [] };
    } catch (error) {
      // Without it everything that is on disk is sent, and numbers go on behind it.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') this.#onError(error);
    }
  }

  #savePosition(): void {
    const path = join(this.#folder, 'position.json');
    try {
      writeFileSync(`${path}.new`, JSON.stringify(this.#position));
      renameSync(`${path}.new`, path);
    } catch (error) {
      this.#onError(error);
    }
  }

  #loadFile(name: string): void {
    const path = join(this.#folder, name);
    this.#fileNumber = Math.max(this.#fileNumber, Number.parseInt(name, 10) + 1);
    const bytes = readFileSync(path);
    const file: SpillFile = { path, bytes: bytes.length, frames: 0 };
    this.#files.push(file);
    this.#bytes += bytes.length;
    for (let at = 0; at < bytes.length; ) {
      const found = parseFrame(bytes, at);
      if (found === undefined) {
        this.#onError(new Error(`${path}: damaged at byte ${at}; that frame is left out`));
        const next = bytes.indexOf(MAGIC_BYTES, at + 1);
        if (next < 0) break;
        at = next;
        continue;
      }
      const frame = { file, at, bytes: found.bytes };
      at += found.bytes;
      this.#adopt(found.meta, frame);
    }
    this.#removeUnused();
  }

  #adopt(meta: BlockMeta, frame: Frame): void {
    const { from } = this.#position;
    if (meta.firstNum + meta.count <= from) return;
    const block = EventBlock.packed(meta, { read: () => read(frame) });
    block.next = Math.max(0, from - meta.firstNum);
    block.release(block.next);
    frame.file.frames++;
    this.#frames.set(block, frame);
    this.blocks.push(block);
  }

  #findGaps(nowMs: number): void {
    this.blocks.sort((one, other) => one.meta.firstNum - other.meta.firstNum);
    let expected = this.blocks[0]?.meta.firstNum ?? this.#position.next;
    let atMs = this.blocks[0]?.meta.firstAtMs ?? nowMs;
    const gap = (next: number, nextAtMs: number) => {
      if (next <= expected) return;
      const count = next - expected;
      const [firstNum, lastNum] = [expected, next - 1];
      this.gaps.push({ count, firstNum, lastNum, firstAtMs: atMs, lastAtMs: nextAtMs });
    };
    for (const { meta } of this.blocks) {
      gap(meta.firstNum, meta.firstAtMs);
      expected = Math.max(expected, meta.firstNum + meta.count);
      atMs = meta.lastAtMs;
    }
    // Numbers that were reserved: a crash does not tell which of them were used.
    gap(this.#position.next, nowMs);
    this.#position = { ...this.#position, next: Math.max(expected, this.#position.next) };
  }
}

function header(meta: BlockMeta, packed: Buffer): Buffer {
  const bytes = Buffer.alloc(HEADER_BYTES);
  bytes.writeUInt32LE(MAGIC, 0);
  bytes.writeUInt32LE(packed.length, 8);
  bytes.writeUInt32LE(meta.rawBytes, 12);
  bytes.writeUInt32LE(meta.count, 16);
  bytes.writeDoubleLE(meta.firstNum, 20);
  bytes.writeDoubleLE(meta.firstAtMs, 28);
  bytes.writeDoubleLE(meta.lastAtMs, 36);
  bytes.writeUInt32LE(crc32(packed, crc32(bytes.subarray(8))), 4);
  return bytes;
}

function parseFrame(bytes: Buffer, at: number): { meta: BlockMeta; bytes: number } | undefined {
  if (at + HEADER_BYTES > bytes.length || bytes.readUInt32LE(at) !== MAGIC) return undefined;
  const end = at + HEADER_BYTES + bytes.readUInt32LE(at + 8);
  if (end > bytes.length) return undefined;
  if (crc32(bytes.subarray(at + 8, end)) !== bytes.readUInt32LE(at + 4)) return undefined;
  const meta = {
    rawBytes: bytes.readUInt32LE(at + 12),
    count: bytes.readUInt32LE(at + 16),
    firstNum: bytes.readDoubleLE(at + 20),
    firstAtMs: bytes.readDoubleLE(at + 28),
    lastAtMs: bytes.readDoubleLE(at + 36),
  };
  return { meta, bytes: end - at };
}

function read({ file, at, bytes }: Frame): Buffer {
  const fd = openSync(file.path, 'r');
  try {
    const packed = Buffer.allocUnsafe(bytes - HEADER_BYTES);
    readSync(fd, packed, 0, packed.length, at + HEADER_BYTES);
    return packed;
  } finally {
    closeSync(fd);
  }
}

/** Some events of a block in the packed form of a block of their own. */
function packRange(
  block: EventBlock,
  from: number,
  to: number,
): { meta: BlockMeta; packed: Buffer } {
  const data = block.slice(from, to);
  const [ends, delays] = [new Uint32Array(to - from), new Uint32Array(to - from)];
  const firstAtMs = block.atMsOf(from);
  for (let index = from, end = 0; index < to; index++) {
    end += block.bytesOf(index, index + 1);
    ends[index - from] = end;
    delays[index - from] = Math.max(0, block.atMsOf(index) - firstAtMs);
  }
  const tables = [ends, delays].map(({ buffer }) => Buffer.from(buffer));
  const meta = {
    firstNum: block.meta.firstNum + from,
    count: to - from,
    firstAtMs,
    lastAtMs: block.atMsOf(to - 1),
    rawBytes: data.length,
  };
  return { meta, packed: deflateRawSync(Buffer.concat([...tables, data]), { level: 1 }) };
}
