/** A whole reader for programs that look for holes, and how these are run. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Test } from 'tap';
import { freePort } from '../../bench/delivery/free-port.js';
import { Product } from '../e2e/product.js';
import { Certificates } from '../security/grpc.js';

/** The longest of them takes some minutes. */
const LIMIT_MS = 1_800_000;

export interface ScannedReader {
  product: Product;
  /** HOST:PORT of each door with TLS. */
  doors: Record<'REST' | 'gRPC', string>;
}

export async function startScanned(t: Test): Promise<ScannedReader> {
  const grpc = `127.0.0.1:${await freePort()}`;
  const args = ['--grpc-listen', grpc, ...new Certificates(t).options];
  const product = await Product.start({ args });
  t.teardown(() => product.dispose());
  return { product, doors: { REST: `127.0.0.1:${product.restPort}`, gRPC: grpc } };
}

/** @returns What it printed, whatever its exit code says of what it found. */
export async function scan(
  program: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<string> {
  const options = { timeout: LIMIT_MS, maxBuffer: 64e6, env: { ...process.env, ...env } };
  try {
    return (await promisify(execFile)(program, args, options)).stdout;
  } catch (error) {
    const { code, stdout } = error as { code: unknown; stdout: string };
    // A number says what it found; anything else that it did not run, or not to its end.
    if (typeof code !== 'number') throw error;
    return stdout;
  }
}
