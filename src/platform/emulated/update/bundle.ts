/**
 * Bundles of the emulated device: a tar of manifest.json, manifest.sig (a detached signature of
 * the manifest) and the payloads, whose SHA-256 the manifest has. Nothing is believed, not even
 * parsed, before the signature is right.
 */
import { createHash, verify, X509Certificate } from 'node:crypto';
import { type FileHandle, open, readFile } from 'node:fs/promises';
import { type Manifest, type Payload, parseManifest } from './manifest.js';
import { readTar, type TarEntry } from './tar.js';

const MAX_MANIFEST_BYTES = 64 * 1024;
const MAX_SIGNATURE_BYTES = 4 * 1024;
const CHUNK = 256 * 1024;

export interface BundlePayload extends Payload {
  /** Of the content in the bundle. */
  offset: number;
}

export interface Bundle {
  manifest: Manifest;
  payloads: BundlePayload[];
}

/** @throws if there is no certificate, or it is not one. */
export async function loadTrusted(path: string): Promise<X509Certificate[]> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch {
    throw new Error(`no bundle is trusted: there is no certificate of who signs them (${path})`);
  }
  const found = text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  if (found.length === 0) throw new Error(`no bundle is trusted: ${path} is not a PEM certificate`);
  return found.map((pem) => new X509Certificate(pem));
}

/** Checks the signature and that all payloads are there. @throws why not */
export async function readBundle(
  file: FileHandle,
  trusted: readonly X509Certificate[],
): Promise<Bundle> {
  const [first, second, ...rest] = await readTar(file);
  if (first?.name !== 'manifest.json' || second?.name !== 'manifest.sig') {
    throw new Error('the bundle does not begin with manifest.json and manifest.sig');
  }
  const manifestBytes = await readWhole(file, first, MAX_MANIFEST_BYTES);
  const signature = await readWhole(file, second, MAX_SIGNATURE_BYTES);
  if (!trusted.some((certificate) => isSignedBy(certificate, manifestBytes, signature))) {
    throw new Error('the signature of the bundle is not of anyone this reader trusts');
  }
  const manifest = parseManifest(manifestBytes.toString('utf8'));
  const payloads = manifest.payloads.map((payload) => {
    const entry = rest.find(({ name }) => name === payload.file);
    if (entry === undefined) throw new Error(`the bundle lacks its file ${payload.file}`);
    if (entry.size !== payload.size) {
      throw new Error(`${payload.file} of the bundle has ${entry.size} bytes, not ${payload.size}`);
    }
    return { ...payload, offset: entry.offset };
  });
  const extra = rest.find(({ name }) => !payloads.some((payload) => payload.file === name));
  if (extra !== undefined || rest.length !== payloads.length) {
    throw new Error('the bundle has files that its manifest does not name');
  }
  return { manifest, payloads };
}

function isSignedBy(certificate: X509Certificate, text: Buffer, signature: Buffer): boolean {
  const key = certificate.publicKey;
  // Ed25519 and Ed448 bring their own digest.
  const digest = key.asymmetricKeyType?.startsWith('ed') ? null : 'sha256';
  try {
    return verify(digest, text, key, signature);
  } catch {
    // Of a kind of key that cannot sign.
    return false;
  }
}

async function readWhole(file: FileHandle, entry: TarEntry, max: number): Promise<Buffer> {
  if (entry.size > max) throw new Error(`${entry.name} of the bundle is above ${max} bytes`);
  const bytes = Buffer.alloc(entry.size);
  await file.read(bytes, 0, entry.size, entry.offset);
  return bytes;
}

/**
 * Goes through a payload, and through `to` if it is given. Flushes what it wrote.
 * @throws if its SHA-256 is not that of the manifest.
 */
export async function readPayload(
  file: FileHandle,
  { file: name, offset, size, sha256 }: BundlePayload,
  {
    to,
    onBytes,
    signal,
  }: {
    to?: string;
    onBytes?: (bytes: number) => void;
    signal?: AbortSignal;
  } = {},
): Promise<void> {
  const hash = createHash('sha256');
  const target = to === undefined ? undefined : await open(to, 'wx', 0o600);
  try {
    const buffer = Buffer.allocUnsafe(CHUNK);
    let done = 0;
    while (done < size) {
      signal?.throwIfAborted();
      const wanted = Math.min(CHUNK, size - done);
      const { bytesRead } = await file.read(buffer, 0, wanted, offset + done);
      if (bytesRead === 0) throw new Error('the bundle is cut off');
      const part = buffer.subarray(0, bytesRead);
      hash.update(part);
      await target?.writeFile(part);
      done += bytesRead;
      onBytes?.(bytesRead);
    }
    await target?.sync();
  } finally {
    await target?.close();
  }
  if (hash.digest('hex') !== sha256) {
    throw new Error(`${name} of the bundle is damaged: its SHA-256 is not that of the manifest`);
  }
}
