/**
 * Streams that unpack. gzip is in Node.js; xz and zstd are done by the programs of the system,
 * where it has them: fixed programs with fixed arguments, fed through pipes.
 */
import { spawn } from 'node:child_process';
import { Duplex } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { findProgram } from '../programs.js';
import { packageError } from './package-error.js';

const PROGRAMS: Readonly<Record<string, readonly string[]>> = {
  // The memory limit is one of the packed form: a package could ask for gigabytes.
  xz: ['--decompress', '--stdout', '--no-warn', '--memlimit-decompress=128MiB'],
  zstd: ['--decompress', '--stdout', '--quiet', '--memory=128MB'],
};

export type Compression = 'gz' | 'xz' | 'zst' | 'none';

/** @returns undefined for what is not compressed. @throws INVALID if this reader cannot unpack it. */
export function decompressor(compression: Compression): Duplex | undefined {
  if (compression === 'none') return undefined;
  if (compression === 'gz') return createGunzip();
  const name = compression === 'xz' ? 'xz' : 'zstd';
  const program = findProgram(name);
  if (program === undefined) {
    throw packageError(`it is packed with ${name}, which this reader does not have; use gzip`);
  }
  return throughProgram(program, PROGRAMS[name] ?? [], name);
}

function throughProgram(program: string, args: readonly string[], name: string): Duplex {
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'ignore'], env: {} });
  const stream = Duplex.from({
    writable: child.stdin,
    // The end of the output counts only with a good exit.
    readable: (async function* () {
      const exit = new Promise<number | null>((resolve) => {
        child.once('error', () => resolve(null));
        child.once('close', (code) => resolve(code));
      });
      yield* child.stdout;
      if ((await exit) !== 0) throw packageError(`${name} cannot unpack it: it is damaged`);
    })(),
  });
  // It stops reading once it has found a fault, which its exit code tells.
  child.stdin.on('error', () => {});
  stream.once('close', () => child.kill('SIGKILL'));
  return stream;
}
