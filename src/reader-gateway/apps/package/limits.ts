/** What a package may be. */

export interface PackageLimits {
  /** Of the package as it comes. */
  maxPackageBytes: number;
  /** Of everything in it, with the headers of the archive. */
  maxUnpackedBytes: number;
  /** Unpacked bytes for each packed byte. */
  maxRatio: number;
  /** Files, folders and links. */
  maxEntries: number;
  /** Of a path in the package. */
  maxPathBytes: number;
  maxDepth: number;
}

const MB = 1024 * 1024;

export const PACKAGE_LIMITS: PackageLimits = {
  maxPackageBytes: 64 * MB,
  maxUnpackedBytes: 256 * MB,
  maxRatio: 200,
  maxEntries: 5000,
  maxPathBytes: 512,
  maxDepth: 24,
};
