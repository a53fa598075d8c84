/** What a reader has on its disk of us, Node.js itself left out. */
import { execFile } from 'node:child_process';
import { copyFileSync, lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { PACKAGE_ROOT } from '../../src/shared/package-info.js';
import { BUNDLE_FOLDER } from './programs.js';

const BYTES_OF_MB = 1_000_000;

export interface Disk {
  /** The bundled services and the command, without their source maps. */
  bundleMb: number;
  /** The program file by file instead of bundled, without the packages. */
  programMb: number;
  /** The packages that they need when they run. */
  packagesMb: number;
  /** The addon without its symbols; null without a tool that takes them away. */
  addonMb: number | null;
}

export async function disk(): Promise<Disk> {
  return {
    bundleMb: bytesIn(BUNDLE_FOLDER, notMap) / BYTES_OF_MB,
    programMb: bytesIn(join(PACKAGE_ROOT, 'dist/src'), notMap) / BYTES_OF_MB,
    packagesMb: packageBytes() / BYTES_OF_MB,
    addonMb: await strippedAddon(),
  };
}

interface LockedPackage {
  dev?: boolean;
  devOptional?: boolean;
}

/** Of the folders that the lock file does not mark as for development only. */
function packageBytes(): number {
  const lock = JSON.parse(readFileSync(join(PACKAGE_ROOT, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, LockedPackage>;
  };
  return Object.entries(lock.packages)
    .filter(([path, { dev, devOptional }]) => path !== '' && !dev && !devOptional)
    .reduce((sum, [path]) => sum + bytesIn(join(PACKAGE_ROOT, path), notNested), 0);
}

function notMap(name: string): boolean {
  return !name.endsWith('.map');
}

// Packages inside of packages stand in the lock file as well.
function notNested(name: string): boolean {
  return name !== 'node_modules';
}

function bytesIn(path: string, counts: (name: string) => boolean): number {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return 0;
  if (!stat.isDirectory()) return stat.size;
  return readdirSync(path)
    .filter(counts)
    .reduce((sum, name) => sum + bytesIn(join(path, name), counts), 0);
}

async function strippedAddon(): Promise<number | null> {
  const folder = mkdtempSync(join(tmpdir(), 'singulate-bench-'));
  const copy = join(folder, 'singulate.node');
  try {
    copyFileSync(join(PACKAGE_ROOT, 'out/host/singulate.node'), copy);
    await promisify(execFile)('strip', [copy]);
    return lstatSync(copy).size / BYTES_OF_MB;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
