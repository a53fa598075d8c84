/**
 * Certificates of connections: by the files a connection names, by the name they were installed
 * under, or the reader's own. Installed ones are in certificates/TYPE/NAME/ of the state folder,
 * as ca.pem, cert.pem and key.pem.
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type CertificateId,
  type CertificateType,
  certificateFolder,
  isCertificateName,
  serverInUsePath,
} from './certificate-names.js';
import type { LocalBroker } from './local-broker.js';
import { NamedFiles } from './named-files.js';

/** Of a file that a connection names. */
const MAX_BYTES = 1_000_000;

/** What a connection may say of its certificates. */
export interface CertificateChoice {
  CACertificateFileLocation?: string | undefined;
  publicKeyFileLocation?: string | undefined;
  privateKeyFileLocation?: string | undefined;
  installedCertificateName?: string | undefined;
  installedCertificateType?: CertificateType | undefined;
}

/** PEM; what is not there is left out, as the options of node's TLS want it. */
export interface CertificateTexts {
  ca?: Buffer;
  cert?: Buffer;
  key?: Buffer;
}

export class Certificates {
  readonly #stateDir: string;

  /**
   * @param files That clients may name; left out: everywhere but the reader's own.
   * @param localBroker What connections to the reader's own broker are let in by.
   */
  constructor(
    stateDir: string,
    readonly files = new NamedFiles(stateDir),
    readonly localBroker?: LocalBroker,
  ) {
    this.#stateDir = stateDir;
  }

  /** Files that are named win over installed ones. @throws if a named file or name is missing. */
  async load(choice: CertificateChoice): Promise<CertificateTexts> {
    const name = choice.installedCertificateName ?? '';
    const installed =
      name === ''
        ? {}
        : this.installed({ type: choice.installedCertificateType ?? 'client', name });
    const [ca, cert, key] = await Promise.all([
      this.#named(choice.CACertificateFileLocation),
      this.#named(choice.publicKeyFileLocation),
      this.#named(choice.privateKeyFileLocation),
    ]);
    return { ...installed, ...texts(ca, cert, key) };
  }

  /** The certificate that REST serves with, too: the installed one, or the one of the first start. */
  async own(): Promise<CertificateTexts> {
    const name = this.serverInUse();
    if (name !== undefined) {
      const { ca: _ca, ...own } = this.installed({ type: 'server', name });
      if (own.cert !== undefined && own.key !== undefined) return own;
    }
    const folder = join(this.#stateDir, 'tls');
    return texts(
      undefined,
      await readFile(join(folder, 'cert.pem')),
      await readFile(join(folder, 'key.pem')),
    );
  }

  /** The installed server certificate that is in use; undefined: that of the first start is. */
  serverInUse(): string | undefined {
    const text = readIfThere(serverInUsePath(this.#stateDir));
    if (text === undefined) return undefined;
    const name = nameIn(text.toString());
    if (name === undefined || !isCertificateName(name)) return undefined;
    // One who removes its folder by hand gets the first one back.
    return existsSync(certificateFolder(this.#stateDir, { type: 'server', name }))
      ? name
      : undefined;
  }

  /**
   * A text that changes with what is installed under a name. A connection that names none has ''.
   * @param ownIfNone Without a name the reader's own certificate is taken.
   */
  version(choice: CertificateChoice, ownIfNone = false): string {
    const { installedCertificateName: named = '', installedCertificateType = 'client' } = choice;
    const name = named === '' && ownIfNone ? this.serverInUse() : named;
    const type = named === '' ? 'server' : installedCertificateType;
    if (name === undefined || name === '' || !isCertificateName(name)) return '';
    const hash = createHash('sha256');
    for (const content of this.#files({ type, name })) {
      hash.update(content ?? '').update('\n');
    }
    return hash.digest('base64');
  }

  /** @throws if there is none of this name. */
  installed({ type, name }: CertificateId): CertificateTexts {
    // The schema lets no path through; a name of dots alone is one all the same.
    const [ca, cert, key] = isCertificateName(name) ? this.#files({ type, name }) : [];
    if (ca === undefined && cert === undefined) {
      throw new Error(`no ${type} certificate "${name}" is installed`);
    }
    return texts(ca, cert, key);
  }

  async #named(path = ''): Promise<Buffer | undefined> {
    return path === '' ? undefined : this.files.read(path, MAX_BYTES);
  }

  /** In one turn of the event loop, as they are replaced: never one file of each. */
  #files(id: CertificateId): (Buffer | undefined)[] {
    const folder = certificateFolder(this.#stateDir, id);
    return ['ca.pem', 'cert.pem', 'key.pem'].map((file) => readIfThere(join(folder, file)));
  }
}

function readIfThere(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}

function nameIn(text: string): string | undefined {
  try {
    const { name } = JSON.parse(text);
    return typeof name === 'string' ? name : undefined;
  } catch {
    return undefined;
  }
}

function texts(
  ca: Buffer | undefined,
  cert: Buffer | undefined,
  key: Buffer | undefined,
): CertificateTexts {
  return { ...(ca ? { ca } : {}), ...(cert ? { cert } : {}), ...(key ? { key } : {}) };
}
