/**
 * Certificates of connections: by the files a connection names, by the name they were installed
 * under, or the reader's own. Installed ones are in certificates/TYPE/NAME/ of the state folder,
 * as ca.pem, cert.pem and key.pem.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** What a connection may say of its certificates. */
export interface CertificateChoice {
  CACertificateFileLocation?: string | undefined;
  publicKeyFileLocation?: string | undefined;
  privateKeyFileLocation?: string | undefined;
  installedCertificateName?: string | undefined;
  installedCertificateType?: 'server' | 'client' | 'app' | undefined;
}

/** PEM; what is not there is left out, as the options of node's TLS want it. */
export interface CertificateTexts {
  ca?: Buffer;
  cert?: Buffer;
  key?: Buffer;
}

export class Certificates {
  readonly #stateDir: string;

  constructor(stateDir: string) {
    this.#stateDir = stateDir;
  }

  /** Files that are named win over installed ones. @throws if a named file or name is missing. */
  async load(choice: CertificateChoice): Promise<CertificateTexts> {
    const name = choice.installedCertificateName ?? '';
    const installed =
      name === '' ? {} : await this.#installed(name, choice.installedCertificateType ?? 'client');
    const [ca, cert, key] = await Promise.all([
      readNamed(choice.CACertificateFileLocation),
      readNamed(choice.publicKeyFileLocation),
      readNamed(choice.privateKeyFileLocation),
    ]);
    return { ...installed, ...texts(ca, cert, key) };
  }

  /** The certificate that REST serves with, too. */
  async own(): Promise<CertificateTexts> {
    const folder = join(this.#stateDir, 'tls');
    return texts(
      undefined,
      await readFile(join(folder, 'cert.pem')),
      await readFile(join(folder, 'key.pem')),
    );
  }

  async #installed(name: string, type: string): Promise<CertificateTexts> {
    // The schema lets no path through; a name of dots alone is one all the same.
    if (/^\.*$/.test(name)) throw new Error(`no certificate "${name}" is installed`);
    const folder = join(this.#stateDir, 'certificates', type, name);
    const [ca, cert, key] = await Promise.all(
      ['ca.pem', 'cert.pem', 'key.pem'].map((file) =>
        readFile(join(folder, file)).catch(() => undefined),
      ),
    );
    if (ca === undefined && cert === undefined) {
      throw new Error(`no ${type} certificate "${name}" is installed`);
    }
    return texts(ca, cert, key);
  }
}

async function readNamed(path: string | undefined): Promise<Buffer | undefined> {
  return path === undefined || path === '' ? undefined : await readFile(path);
}

function texts(
  ca: Buffer | undefined,
  cert: Buffer | undefined,
  key: Buffer | undefined,
): CertificateTexts {
  return { ...(ca ? { ca } : {}), ...(cert ? { cert } : {}), ...(key ? { key } : {}) };
}
