/**
 * What is kept beside a certificate. meta.json says when and from where it came; source.json is
 * all that a refresh needs, passwords too, and is as private as key.pem in the same folder.
 */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type FetchSource, shownUrl } from '../fetch/fetch-source.js';

/** Files on the reader that a certificate was installed from. */
export interface FileLocations {
  cert?: string | undefined;
  key?: string | undefined;
  ca?: string | undefined;
}

export type CertificateSource =
  | { kind: 'url'; fetch: FetchSource; pfxPassword?: string | undefined }
  | { kind: 'files'; files: FileLocations; pfxPassword?: string | undefined }
  /** It came with the request: there is nothing to fetch again. */
  | { kind: 'content' };

export function metaText(source: CertificateSource, now: Date): string {
  return json({
    installTime: now.toISOString(),
    source:
      source.kind === 'url'
        ? { kind: 'url', url: shownUrl(source.fetch.url) }
        : source.kind === 'files'
          ? { kind: 'files', ...source.files }
          : { kind: 'content' },
  });
}

/** undefined: nothing that is needed again. */
export function sourceText(source: CertificateSource): string | undefined {
  return source.kind === 'content' ? undefined : json(source);
}

/** Of a folder that somebody made by hand: when its certificate was written. */
export function readInstallTime(folder: string): Date {
  try {
    const { installTime } = JSON.parse(readFileSync(join(folder, 'meta.json'), 'utf8'));
    const date = new Date(installTime);
    if (!Number.isNaN(date.getTime())) return date;
  } catch {
    // No meta.json, or one that a person damaged.
  }
  for (const file of ['cert.pem', 'ca.pem']) {
    const stats = statSync(join(folder, file), { throwIfNoEntry: false });
    if (stats !== undefined) return stats.mtime;
  }
  return new Date(0);
}

export function readSource(folder: string): CertificateSource | undefined {
  try {
    return JSON.parse(readFileSync(join(folder, 'source.json'), 'utf8')) as CertificateSource;
  } catch {
    return undefined;
  }
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
