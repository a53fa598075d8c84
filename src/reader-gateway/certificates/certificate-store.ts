/** Installs, refreshes, removes and lists certificates, and makes requests for new ones. */
import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { writeJsonFile } from '../../shared/atomic-file.js';
import { errorMessage, invalid, SingulateError } from '../../shared/errors.js';
import type { Logger } from '../../shared/log.js';
import type {
  CertificateRecord,
  CreateCertificateRequest,
  InstallCertificate,
} from '../api/certificates.js';
import { fetchFile } from '../fetch/fetch-file.js';
import { EVERYWHERE, type Reach } from '../fetch/reach.js';
import { type CertificateId, FACTORY_NAME, serverInUsePath } from '../tls/certificate-names.js';
import type { Certificates } from '../tls/certificates.js';
import { NamedFileRefused, type NamedFiles } from '../tls/named-files.js';
import { factsOf, formatInstallTime, NO_FACTS } from './facts.js';
import { CertificateFolders } from './folders.js';
import { type GivenContents, type InstallPlan, planInstall } from './install-request.js';
import {
  assemble,
  type Material,
  type Parts,
  readBundle,
  readCertificates,
  readKey,
  splitPem,
} from './material.js';
import { type FileLocations, metaText, readInstallTime, readSource, sourceText } from './meta.js';
import { makeSigningRequest } from './signing-request.js';

/** Of a file; lists of all public CAs have 250 kB. */
const MAX_BYTES = 512 * 1024;
const MAX_INSTALLED = 100;
const MAX_REQUESTS = 20;
/** Fetches under way. */
const MAX_WORKING = 4;
const DAY_MS = 24 * 3600 * 1000;

export interface ExpiringCertificate extends CertificateId {
  end: Date;
  /** Below 0: it has expired. */
  daysLeft: number;
}

export class CertificateStore {
  readonly #stateDir: string;
  readonly #folders: CertificateFolders;
  readonly #certificates: Certificates;
  readonly #log: Logger;
  readonly #reach: Reach;
  /** Changes come one after the other; fetching does not wait for them. */
  #changes: Promise<unknown> = Promise.resolve();
  #working = 0;

  constructor(stateDir: string, certificates: Certificates, log: Logger, reach = EVERYWHERE) {
    this.#stateDir = stateDir;
    this.#folders = new CertificateFolders(stateDir);
    this.#certificates = certificates;
    this.#log = log;
    this.#reach = reach;
  }

  /** To be called before anybody reads certificates. */
  recover(): void {
    this.#folders.recover();
  }

  list(): CertificateRecord[] {
    const installed = this.#folders.list().flatMap((id) => {
      const folder = this.#folders.path(id);
      const file = ['cert.pem', 'ca.pem'].map((name) => join(folder, name)).find(existsSync);
      return file === undefined ? [] : [this.#record(id, file, readInstallTime(folder))];
    });
    const factory = this.#factoryFile();
    if (!existsSync(factory)) return installed;
    const id = { type: 'server', name: FACTORY_NAME } as const;
    return [this.#record(id, factory, statSync(factory).mtime), ...installed];
  }

  /** @throws INVALID, STATE, TOO_MANY or UNAVAILABLE; then nothing has changed. */
  async install(id: CertificateId, request: InstallCertificate): Promise<void> {
    refuseFactory(id);
    const plan = planInstall(request);
    await this.#obtain(id, plan, () => {
      if (this.#folders.has(id) || this.#folders.list().length < MAX_INSTALLED) return;
      throw new SingulateError('STATE', `${MAX_INSTALLED} certificates are installed already`);
    });
  }

  /** Fetches it again from where it came. @throws NOT_FOUND, and as install does. */
  async refresh(id: CertificateId): Promise<void> {
    this.#mustBeThere(id);
    const source = readSource(this.#folders.path(id));
    if (source === undefined || source.kind === 'content') {
      throw new SingulateError(
        'STATE',
        `the ${id.type} certificate "${id.name}" did not come from a url: install it again`,
      );
    }
    const { pfxPassword } = source;
    const locations = source.kind === 'files' ? source.files : {};
    const plan = { source, contents: {}, locations, pfxPassword };
    // It may have been deleted meanwhile.
    await this.#obtain(id, plan, () => this.#mustBeThere(id));
  }

  /**
   * The reader serves with the certificate that it made itself when that in use is removed.
   * @throws NOT_FOUND; INVALID for the reader's own.
   */
  async remove(id: CertificateId): Promise<void> {
    refuseFactory(id);
    await this.#change(async () => {
      this.#mustBeThere(id);
      const inUse = id.type === 'server' && this.#certificates.serverInUse() === id.name;
      if (inUse) await rm(serverInUsePath(this.#stateDir), { force: true });
      await this.#folders.remove(id);
      await this.#folders.removeRequest(id);
    });
    this.#log.info({ type: id.type, name: id.name }, 'certificate deleted');
  }

  /** @returns The request, PEM. The key waits here for its certificate. */
  async createRequest(id: CertificateId, wish: CreateCertificateRequest): Promise<string> {
    refuseFactory(id);
    if (
      !existsSync(this.#folders.requestPath(id)) &&
      this.#folders.countRequests() >= MAX_REQUESTS
    ) {
      throw new SingulateError('STATE', `${MAX_REQUESTS} keys wait for their certificates already`);
    }
    const { csr, key } = await makeSigningRequest(wish, hostname());
    await this.#change(() =>
      this.#folders.writeRequest(id, { 'key.pem': key, 'request.pem': csr }),
    );
    this.#log.info({ type: id.type, name: id.name }, 'certificate request made');
    return csr;
  }

  /** Those whose end is at most so many days away, the first one first; expired ones too. */
  expiring(withinDays: number, nowMs = Date.now()): ExpiringCertificate[] {
    return this.ends(nowMs)
      .filter(({ daysLeft }) => daysLeft <= withinDays)
      .sort((one, other) => one.end.getTime() - other.end.getTime());
  }

  /** Of everything that is installed, and of the first start's certificate while it is in use. */
  ends(nowMs = Date.now()): ExpiringCertificate[] {
    const found = this.#folders.list().map((id) => ({ id, folder: this.#folders.path(id) }));
    const installed = found.map(({ id, folder }) => {
      return { id, end: endOf(join(folder, 'cert.pem')) ?? endOf(join(folder, 'ca.pem')) };
    });
    if (this.#certificates.serverInUse() === undefined) {
      const id = { type: 'server', name: FACTORY_NAME } as const;
      installed.push({ id, end: endOf(this.#factoryFile()) });
    }
    return installed.flatMap(({ id, end }) =>
      end === undefined
        ? []
        : [{ ...id, end, daysLeft: Math.floor((end.getTime() - nowMs) / DAY_MS) }],
    );
  }

  /** @param check Throws if it may not be put in its place any more. */
  async #obtain(id: CertificateId, plan: InstallPlan, check: () => void): Promise<void> {
    if (this.#working >= MAX_WORKING) {
      throw new SingulateError('TOO_MANY', `${MAX_WORKING} certificates are being fetched already`);
    }
    this.#working++;
    try {
      const parts = await this.#partsOf(plan);
      await this.#change(async () => {
        check();
        await this.#put(id, assemble(parts, id.type, this.#keysOf(id)), plan);
      });
    } finally {
      this.#working--;
    }
    this.#log.info(
      { type: id.type, name: id.name, from: plan.source.kind },
      'certificate installed',
    );
  }

  async #put(
    id: CertificateId,
    { ca, cert, key }: Material,
    { source }: InstallPlan,
  ): Promise<void> {
    await this.#folders.write(id, {
      'ca.pem': ca,
      'cert.pem': cert,
      'key.pem': key,
      'meta.json': metaText(source, new Date()),
      'source.json': sourceText(source),
    });
    if (id.type === 'server')
      await writeJsonFile(serverInUsePath(this.#stateDir), { name: id.name });
    // Its key has found its certificate. One for another certificate waits on.
    const waiting = keyIn(this.#folders.requestPath(id));
    if (waiting !== undefined && cert && new X509Certificate(cert).checkPrivateKey(waiting)) {
      await this.#folders.removeRequest(id);
    }
  }

  async #partsOf({ source, contents, locations, pfxPassword }: InstallPlan): Promise<Parts> {
    if (source.kind === 'url') {
      const bytes = await fetchFile(source.fetch, this.#certificates, MAX_BYTES, this.#reach);
      return readBundle(bytes, pfxPassword, 'url');
    }
    const read = await readLocations(locations, this.#certificates.files);
    const { pfx, cert, key, ca } = { ...contents, ...read };
    const authorities = ca === undefined ? [] : readCertificates(ca, fieldOf('ca', locations));
    if (pfx !== undefined && pfx.length > MAX_BYTES) {
      throw problem('pfxContent', `is above ${MAX_BYTES} bytes`);
    }
    if (pfx !== undefined)
      return { ...(await readBundle(pfx, pfxPassword, 'pfxContent')), authorities };
    const certificates =
      cert === undefined ? [] : readCertificates(cert, fieldOf('cert', locations));
    const given =
      key === undefined
        ? // Both may be in one text.
          readKey(cert ?? '', pfxPassword, fieldOf('cert', locations), 'optional')
        : readKey(key, pfxPassword, fieldOf('key', locations));
    const field = fieldOf(cert === undefined && key === undefined ? 'ca' : 'cert', locations);
    return { certificates, authorities, key: given, field };
  }

  /** Keys of this name: of a request, and of the certificate that is renewed. */
  #keysOf(id: CertificateId): KeyObject[] {
    return [this.#folders.requestPath(id), this.#folders.path(id)]
      .map(keyIn)
      .filter((key) => key !== undefined);
  }

  #mustBeThere(id: CertificateId): void {
    if (this.#folders.has(id)) return;
    throw new SingulateError('NOT_FOUND', `no ${id.type} certificate "${id.name}" is installed`);
  }

  #record(id: CertificateId, file: string, installed: Date): CertificateRecord {
    const head = { name: id.name, type: id.type, installTime: formatInstallTime(installed) };
    try {
      return { ...head, ...factsOf(readFileSync(file)) };
    } catch (error) {
      this.#log.warn(
        { type: id.type, name: id.name },
        `a certificate cannot be read: ${errorMessage(error)}`,
      );
      return { ...head, ...NO_FACTS };
    }
  }

  #factoryFile(): string {
    return join(this.#stateDir, 'tls', 'cert.pem');
  }

  async #change<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#changes.then(work);
    this.#changes = done.catch(() => {});
    return done;
  }
}

function refuseFactory({ type, name }: CertificateId): void {
  if (type !== 'server' || name !== FACTORY_NAME) return;
  throw problem('certname', `"${FACTORY_NAME}" is the certificate that the reader made itself`);
}

const FIELDS = { cert: 'publicKeyFile', key: 'privateKeyFile', ca: 'CACertificateFile' } as const;

function fieldOf(part: keyof FileLocations, locations: FileLocations): string {
  return `${FIELDS[part]}${locations[part] === undefined ? 'Content' : 'Location'}`;
}

async function readLocations(locations: FileLocations, files: NamedFiles): Promise<GivenContents> {
  const found: GivenContents = {};
  for (const part of ['cert', 'key', 'ca'] as const) {
    const path = locations[part];
    if (path !== undefined) found[part] = await readLocation(path, files, fieldOf(part, locations));
  }
  return found;
}

async function readLocation(path: string, files: NamedFiles, field: string): Promise<string> {
  try {
    return (await files.read(path, MAX_BYTES)).toString('latin1');
  } catch (error) {
    throw error instanceof NamedFileRefused ? problem(field, error.message) : error;
  }
}

function keyIn(folder: string): KeyObject | undefined {
  try {
    return createPrivateKey(readFileSync(join(folder, 'key.pem')));
  } catch {
    return undefined;
  }
}

/** Of the first certificate; of a list the last end: until then it is some use. */
function endOf(file: string): Date | undefined {
  try {
    const text = readFileSync(file, 'latin1');
    if (!file.endsWith('ca.pem')) return new Date(new X509Certificate(text).validTo);
    const ends = splitPem(text).map((pem) => new Date(new X509Certificate(pem).validTo).getTime());
    return ends.length === 0 ? undefined : new Date(Math.max(...ends));
  } catch {
    return undefined;
  }
}

function problem(field: string, message: string) {
  return invalid([{ field, message }]);
}
