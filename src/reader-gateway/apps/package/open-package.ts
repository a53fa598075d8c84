/** From a package to a folder with a checked application in it. */
import { createReadStream } from 'node:fs';
import { mkdir, open, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadEntry } from 'tar';
import { isSingulateError } from '../../../shared/errors.js';
import { type AppManifest, MANIFEST_FILE, parseManifest } from '../manifest.js';
import { AR_MAGIC, checkControl, type DebMembers, readDeb } from './deb.js';
import { type Compression, decompressor } from './decompress.js';
import { cleanPath } from './entry-rules.js';
import type { PackageLimits } from './limits.js';
import { packageError } from './package-error.js';
import { TarReader } from './tar-reader.js';
import { Unpacker } from './unpack.js';
import { UnpackedGuard } from './unpacked-guard.js';
import { verifyTree } from './verify-tree.js';

export interface OpenedPackage {
  manifest: AppManifest;
  /** Where the application lies. */
  folder: string;
}

const MAX_MANIFEST_BYTES = 64 * 1024;
const MAX_CONTROL_BYTES = 256 * 1024;

/**
 * @param folder Is made; the caller removes it.
 * @throws INVALID for whatever is wrong with the package.
 */
export async function openPackage(
  file: string,
  folder: string,
  limits: PackageLimits,
): Promise<OpenedPackage> {
  const deb = await readOuter(file);
  const controlName = deb === undefined ? undefined : await readControlName(file, deb, limits);
  await mkdir(folder, { mode: 0o755 });
  const unpacker = new Unpacker(folder, limits);
  const part = deb?.data ?? { compression: 'gz', start: 0, bytes: (await stat(file)).size };
  await readTar(file, part, limits, (entry) => unpacker.take(entry));
  await unpacker.finish();
  const app = await findApp(folder);
  await verifyTree(app);
  const manifest = await readManifest(app);
  if (controlName !== undefined && controlName !== manifest.name) {
    const own = `${MANIFEST_FILE} says ${manifest.name}`;
    throw packageError(`its control file says Package: ${controlName}, its ${own}`);
  }
  return { manifest, folder: app };
}

/** @returns undefined for a .tar.gz. */
async function readOuter(path: string): Promise<DebMembers | undefined> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    const magic = Buffer.alloc(8);
    await file.read(magic, 0, magic.length, 0);
    // What it is shows its content, not its name.
    if (magic[0] === 0x1f && magic[1] === 0x8b) return undefined;
    if (magic.toString('latin1') === AR_MAGIC) return await readDeb(file, size);
    throw packageError('it is neither a .tar.gz nor a .deb');
  } finally {
    await file.close();
  }
}

interface Part {
  compression: Compression;
  start: number;
  bytes: number;
}

async function readTar(
  file: string,
  { compression, start, bytes }: Part,
  limits: PackageLimits,
  take: (entry: ReadEntry) => Promise<void>,
): Promise<void> {
  const source: Readable =
    bytes === 0
      ? new PassThrough().end()
      : createReadStream(file, { start, end: start + bytes - 1 });
  const guard = new UnpackedGuard(bytes, limits);
  const reader = new TarReader(take);
  const unzip = decompressor(compression);
  try {
    if (unzip === undefined) await pipeline(source, guard, reader);
    else await pipeline(source, unzip, guard, reader);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (isSingulateError(error)) throw error;
    if (code.startsWith('Z_')) throw packageError('it is damaged: it cannot be unpacked');
    throw error;
  }
}

async function readControlName(
  file: string,
  { control }: DebMembers,
  limits: PackageLimits,
): Promise<string> {
  let text: string | undefined;
  const small = { ...limits, maxUnpackedBytes: Math.min(limits.maxUnpackedBytes, 4 * 1024 * 1024) };
  await readTar(file, control, small, async (entry) => {
    const isControl = cleanPath(entry.path, limits) === 'control';
    const parts: Uint8Array[] = [];
    let bytes = 0;
    for await (const chunk of entry) {
      bytes += chunk.length;
      if (isControl && bytes <= MAX_CONTROL_BYTES) parts.push(chunk as Uint8Array);
    }
    if (isControl) text = Buffer.concat(parts).toString('utf8');
  });
  if (text === undefined) throw packageError('its control file is missing');
  return checkControl(text);
}

/** The manifest lies at the top, or where packages of Debian put applications. */
async function findApp(folder: string): Promise<string> {
  const below = async (name: string) => {
    const entries = await readdir(join(folder, name), { withFileTypes: true }).catch(() => []);
    return entries.filter((entry) => entry.isDirectory()).map((entry) => join(name, entry.name));
  };
  const candidates = [
    '.',
    ...(await below('.')),
    ...(await below('opt')),
    ...(await below('apps')),
  ];
  const found: string[] = [];
  for (const candidate of candidates) {
    const path = join(folder, candidate);
    const entries = await readdir(path, { withFileTypes: true });
    if (entries.some((entry) => entry.name === MANIFEST_FILE && entry.isFile())) found.push(path);
  }
  const [first] = found;
  if (first === undefined) {
    throw packageError(`it has no ${MANIFEST_FILE} at its top, in one folder, in opt/* or apps/*`);
  }
  // That of the top holds; below it, only one can be meant.
  if (first !== join(folder, '.') && found.length > 1) {
    throw packageError(`it has more than one ${MANIFEST_FILE}`);
  }
  return first;
}

async function readManifest(folder: string): Promise<AppManifest> {
  const path = join(folder, MANIFEST_FILE);
  const { size } = await stat(path);
  if (size > MAX_MANIFEST_BYTES) {
    throw packageError(`is above ${MAX_MANIFEST_BYTES} bytes`, MANIFEST_FILE);
  }
  return parseManifest(await readFile(path, 'utf8'), folder);
}
