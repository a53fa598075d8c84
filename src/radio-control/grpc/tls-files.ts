/** The certificate files of gRPC over TLS: read, and checked before they are used. */
import { X509Certificate } from 'node:crypto';
import { open, stat } from 'node:fs/promises';
import { createSecureContext } from 'node:tls';
import { configError, errorMessage } from '../../shared/errors.js';

/** Paths, as the options have them. */
export interface TlsFiles {
  cert: string;
  key: string;
  clientCa: string;
  clientCrl?: string | undefined;
}

export interface TlsMaterial {
  cert: Buffer;
  key: Buffer;
  ca: Buffer;
  crl?: Buffer;
}

const MAX_BYTES = 4_000_000;
const OTHERS = 0o007;

/** @throws CONFIG: names the option and the file. */
export async function readTlsFiles(files: TlsFiles): Promise<TlsMaterial> {
  const { cert, key, clientCa, clientCrl } = files;
  const material: TlsMaterial = {
    cert: await read('--grpc-cert', cert),
    key: await read('--grpc-key', key, true),
    ca: await read('--grpc-client-ca', clientCa),
    ...(clientCrl === undefined ? {} : { crl: await read('--grpc-client-crl', clientCrl) }),
  };
  check(`--grpc-cert ${cert}`, () => new X509Certificate(material.cert));
  check(`--grpc-client-ca ${clientCa}`, () => new X509Certificate(material.ca));
  check(`--grpc-cert ${cert} and --grpc-key ${key}`, () =>
    createSecureContext({ cert: material.cert, key: material.key }),
  );
  if (clientCrl !== undefined) {
    check(`--grpc-client-crl ${clientCrl}`, () => createSecureContext({ crl: material.crl }));
  }
  return material;
}

/** A text that changes when one of the files does; a file that is away counts as well. */
export async function stamp(files: TlsFiles): Promise<string> {
  const paths = [files.cert, files.key, files.clientCa, files.clientCrl];
  const parts = paths.map(async (path) => {
    const found = path === undefined ? undefined : await stat(path).catch(() => undefined);
    return found === undefined ? '-' : `${found.ino} ${found.size} ${found.mtimeMs} ${found.mode}`;
  });
  return (await Promise.all(parts)).join('\n');
}

async function read(option: string, path: string, secret = false): Promise<Buffer> {
  try {
    const file = await open(path, 'r');
    try {
      const { mode, size } = await file.stat();
      if (secret && (mode & OTHERS) !== 0) {
        throw new Error(
          `others may use it (mode ${octal(mode)}); allowed: 0600, or 0640 for a group`,
        );
      }
      if (size > MAX_BYTES) throw new Error(`${size} bytes; at most ${MAX_BYTES}`);
      return await file.readFile();
    } finally {
      await file.close();
    }
  } catch (error) {
    throw configError(`${option} ${path}: ${errorMessage(error)}`);
  }
}

function check(what: string, use: () => unknown): void {
  try {
    use();
  } catch (error) {
    throw configError(`${what} cannot be used: ${errorMessage(error)}`);
  }
}

function octal(mode: number): string {
  return (mode & 0o7777).toString(8).padStart(4, '0');
}
