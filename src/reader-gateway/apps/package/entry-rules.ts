/** Which entries of an archive may lie in a package. */
import { posix } from 'node:path';
import type { PackageLimits } from './limits.js';
import { packageError } from './package-error.js';

export type EntryKind = 'file' | 'folder' | 'symlink' | 'hardlink';

const KINDS: Readonly<Record<string, EntryKind>> = {
  File: 'file',
  OldFile: 'file',
  ContiguousFile: 'file',
  Directory: 'folder',
  GNUDumpDir: 'folder',
  SymbolicLink: 'symlink',
  Link: 'hardlink',
};

const SPECIAL_BITS = 0o7000;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const CONTROL_CHARACTERS = /[\x00-\x1f\x7f\ufffd]/;

/** @throws INVALID for devices, pipes and whatever else is not allowed. */
export function kindOf(type: string, path: string, mode: number): EntryKind {
  const kind = KINDS[type];
  if (kind === undefined) {
    throw packageError(`is a ${type}; allowed: files, folders and links`, path);
  }
  // dpkg sets the group of folders now and then; they are made again with plain modes.
  if (kind === 'file' && (mode & SPECIAL_BITS) !== 0) {
    throw packageError('has a setuid, setgid or sticky bit', path);
  }
  return kind;
}

/** The path below the package, '' for its root. @throws INVALID */
export function cleanPath(path: string, limits: PackageLimits): string {
  if (path.startsWith('/')) throw packageError('is an absolute path', path);
  if (CONTROL_CHARACTERS.test(path)) throw packageError('has control characters', path);
  if (Buffer.byteLength(path) > limits.maxPathBytes) {
    throw packageError(`is longer than ${limits.maxPathBytes} bytes`, path);
  }
  const parts = path.split('/').filter((part) => part !== '' && part !== '.');
  if (parts.includes('..')) throw packageError('leads out of the package', path);
  if (parts.length > limits.maxDepth) {
    throw packageError(`is deeper than ${limits.maxDepth} folders`, path);
  }
  const long = parts.find((part) => Buffer.byteLength(part) > 255);
  if (long !== undefined) throw packageError('has a name above 255 bytes', path);
  return parts.join('/');
}

/** @throws INVALID if a symbolic link, taken by its text, leads out of the package. */
export function checkSymlink(path: string, target: string): void {
  if (target.startsWith('/')) {
    throw packageError(`is a link to an absolute path: ${target}`, path);
  }
  const leads = posix.normalize(posix.join(posix.dirname(path), target));
  if (leads === '..' || leads.startsWith('../')) {
    throw packageError(`is a link that leads out of the package: ${target}`, path);
  }
}
