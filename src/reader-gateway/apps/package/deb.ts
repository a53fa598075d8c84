/** The outer archive (ar) of a Debian package. */
import type { FileHandle } from 'node:fs/promises';
import type { Compression } from './decompress.js';
import { packageError } from './package-error.js';

export const AR_MAGIC = '!<arch>\n';
const HEADER_BYTES = 60;
/** debian-binary, control, data; signatures and the like may follow. */
const MAX_MEMBERS = 16;

/** A part of the file. */
export interface Member {
  compression: Compression;
  start: number;
  bytes: number;
}

export interface DebMembers {
  control: Member;
  data: Member;
}

/** @throws INVALID */
export async function readDeb(file: FileHandle, fileBytes: number): Promise<DebMembers> {
  let at = AR_MAGIC.length;
  let control: Member | undefined;
  for (let i = 0; i < MAX_MEMBERS && at < fileBytes; i++) {
    const header = Buffer.alloc(HEADER_BYTES);
    const { bytesRead } = await file.read(header, 0, HEADER_BYTES, at);
    if (bytesRead < HEADER_BYTES || header.toString('latin1', 58) !== '`\n') break;
    const name = header.toString('latin1', 0, 16).trimEnd().replace(/\/$/, '');
    const size = header.toString('latin1', 48, 58).trimEnd();
    const bytes = /^\d+$/.test(size) ? Number(size) : Number.NaN;
    const start = at + HEADER_BYTES;
    if (!(start + bytes <= fileBytes)) break;
    if (i === 0) await checkVersion(file, name, start, bytes);
    const member = (part: string) => ({ compression: compressionOf(name, part), start, bytes });
    if (name.startsWith('control.tar')) control = member('control');
    if (name.startsWith('data.tar') && control !== undefined) {
      return { control, data: member('data') };
    }
    // Members begin at even places.
    at = start + bytes + (bytes % 2);
  }
  throw packageError('it is a damaged Debian package: control.tar or data.tar is missing');
}

async function checkVersion(
  file: FileHandle,
  name: string,
  start: number,
  bytes: number,
): Promise<void> {
  const version = Buffer.alloc(Math.min(bytes, 8));
  await file.read(version, 0, version.length, start);
  if (name !== 'debian-binary' || !version.toString('latin1').startsWith('2.')) {
    throw packageError('it is not a Debian package of format 2');
  }
}

function compressionOf(name: string, part: string): Compression {
  const suffix = name.slice(`${part}.tar`.length);
  if (suffix === '') return 'none';
  if (suffix === '.gz' || suffix === '.xz' || suffix === '.zst') {
    return suffix.slice(1) as Compression;
  }
  throw packageError(`${name} is packed in a way that is not known; allowed: gz, xz, zst`);
}

/** Names of Debian for the processors that Node.js runs on. */
const ARCHITECTURES: Readonly<Record<string, string>> = {
  x64: 'amd64',
  arm64: 'arm64',
  arm: 'armhf',
  ia32: 'i386',
  riscv64: 'riscv64',
};

/** @returns Package of the control file. @throws INVALID */
export function checkControl(text: string, arch: string = process.arch): string {
  const field = (name: string) => new RegExp(`^${name}:[ \\t]*(\\S+)`, 'm').exec(text)?.[1];
  const architecture = field('Architecture') ?? 'all';
  const own = ARCHITECTURES[arch] ?? arch;
  if (architecture !== 'all' && architecture !== own) {
    throw packageError(`it is for ${architecture}, this reader is ${own}`);
  }
  const name = field('Package');
  if (name === undefined) throw packageError('its control file names no Package');
  return name;
}
