/**
 * Packed blocks of an endpoint on disk: files of frames that are only appended to and removed as
 * wholes. Each frame has a check sum; whatever a crash or a worn-out flash leaves behind is
 * noticed, left out, and shows as a gap in the numbers. Which of the events are still needed, the
 * ledger of numbers knows.
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
  rmSync,
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

export class Spill implements BlockKeeper {
  readonly #folder: string;
  readonly #maxBytes: number;
  readonly #onError: (error: unknown) => void;
  readonly #frames = new Map<EventBlock, Frame>();
  #files: SpillFile[] = [];
  #fd: number | undefined;
  #fileNumber = 1;
  #bytes = 0;
  #syncTimer: NodeJS.Timeout | undefined;
  #closed = false;
  /** What was on disk and is needed, oldest first. */
  readonly blocks: EventBlock[] = [];
  /** What is needed and not on disk. */
  readonly gaps: Span[] = [];

  /**
   * Reads the folder, makes it if it is not there. @throws if it cannot be written.
   * @param needed Events that wait or were on the way; undefined = all that are on disk.
   */
  constructor(
    folder: string,
    maxBytes: number,
    needed: readonly Span[] | undefined,
    onError: (error: unknown) => void,
  ) {
    this.#folder = folder;
    this.#maxBytes = maxBytes;
    this.#onError = onError;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const names = readdirSync(folder).filter((name) => /^\d{8}\.spill$/.test(name));
    for (const name of names.sort()) this.#loadFile(name, needed);
    this.blocks.sort((one, other) => one.meta.firstNum - other.meta.firstNum);
    for (const span of needed ?? this.#whole()) this.gaps.push(...missing(span, this.blocks));
  }

  /** Number after the last event on disk. */
  get nextNum(): number {
    return Math.max(1, ...this.blocks.map(({ meta }) => meta.firstNum + meta.count));
  }

  get isFull(): boolean {
    return this.#bytes > this.#maxBytes;
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

  close(): void {
    this.#closed = true;
    clearTimeout(this.#syncTimer);
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
    // The next one may not open: the same one must not be closed twice.
    this.#fd = undefined;
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
      try {
        rmSync(file.path, { force: true });
      } catch (error) {
        // The next start finds it, and needs none of it.
        this.#onError(error);
      }
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

  #loadFile(name: string, needed: readonly Span[] | undefined): void {
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
      this.#adopt(found.meta, frame, needed);
    }
    this.#removeUnused();
  }

  #adopt(meta: BlockMeta, frame: Frame, needed: readonly Span[] | undefined): void {
    const end = meta.firstNum + meta.count;
    const wanted = needed?.filter(({ firstNum, lastNum }) => {
      return firstNum < end && lastNum >= meta.firstNum;
    });
    if (wanted?.length === 0) return;
    const from = Math.min(...(wanted ?? []).map(({ firstNum }) => firstNum));
    const block = EventBlock.packed(meta, { read: () => read(frame) });
    block.next = Number.isFinite(from) ? Math.max(0, from - meta.firstNum) : 0;
    block.release(block.next);
    frame.file.frames++;
    this.#frames.set(block, frame);
    this.blocks.push(block);
  }

  /** All that is on disk, and what lies between. */
  #whole(): Span[] {
    const [first, last] = [this.blocks[0]?.meta, this.blocks.at(-1)?.meta];
    if (first === undefined || last === undefined) return [];
    const [firstNum, lastNum] = [first.firstNum, last.firstNum + last.count - 1];
    const { firstAtMs } = first;
    return [
      { count: lastNum + 1 - firstNum, firstNum, lastNum, firstAtMs, lastAtMs: last.lastAtMs },
    ];
  }
}

/**
 * What is not on disk of some events.
 * @param blocks By their numbers, ascending.
 */
function missing(span: Span, blocks: readonly EventBlock[]): Span[] {
  const parts: { firstNum: number; lastNum: number }[] = [];
  let next = span.firstNum;
  let found = 0;
  const gap = (until: number) => {
    const lastNum = Math.min(span.lastNum, until - 1);
    if (lastNum >= next) parts.push({ firstNum: next, lastNum });
  };
  for (const { meta } of blocks) {
    const end = meta.firstNum + meta.count;
    if (end <= next || meta.firstNum > span.lastNum) continue;
    gap(meta.firstNum);
    found += Math.min(end, span.lastNum + 1) - Math.max(meta.firstNum, next);
    next = end;
  }
  gap(span.lastNum + 1);
  let lost = Math.max(0, span.count - found);
  return parts.map((part) => {
    const count = Math.min(lost, part.lastNum - part.firstNum + 1);
    lost -= count;
    return { ...span, ...part, count };
  });
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
