/** Updates of the OS in tests: who signs bundles, the bundles, and the server that has them. */

import { execFileSync } from 'node:child_process';
import { createHash, randomBytes, sign } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Test } from 'tap';
import { checked } from '../../src/platform/emulated/checked.js';
import { BootEnv, type SlotName } from '../../src/platform/emulated/update/boot-env.js';
import { EmulatedEngine } from '../../src/platform/emulated/update/emulated-engine.js';
import type { Manifest } from '../../src/platform/emulated/update/manifest.js';
import type { UpgradeStatus } from '../../src/reader-gateway/api/os-update.js';
import { EVERYWHERE } from '../../src/reader-gateway/fetch/reach.js';
import { NamedFiles } from '../../src/reader-gateway/tls/named-files.js';
import { Updater, type UpdaterOptions } from '../../src/reader-gateway/update/updater.js';
import { createLogger } from '../../src/shared/log.js';
import { Authority, type CertificateAndKey } from './certificates.js';

export const silent = createLogger('reader_gateway', {
  fd: 2,
  level: process.env.TEST_LOG ?? 'silent',
});

/** Signs bundles; its certificate is what a device trusts. */
export const SIGNER: CertificateAndKey = new Authority('Bundle signer');

export interface BundleWish {
  version: string;
  /** Bytes of the payload of each part; default: 200 kB of rootFileSystem. */
  parts?: Partial<Record<Manifest['payloads'][number]['part'], number>>;
  compatible?: string;
  emulated?: Manifest['emulated'];
  key?: string;
  /** Changes files of the bundle before they are packed. */
  spoil?(folder: string): void;
  /** Files in their order; default: all of them as it must be. */
  files?: readonly string[];
}

/** A bundle, made with the tar of this machine. */
export function makeBundle(wish: BundleWish): Buffer {
  const { version, parts = { rootFileSystem: 200_000 } } = wish;
  const folder = mkdtempSync(join(tmpdir(), 'bundle-'));
  try {
    const payloads = Object.entries(parts).map(([part, size]) => {
      const content = randomBytes(size);
      const file = `${part}.img`;
      writeFileSync(join(folder, file), content);
      const sha256 = createHash('sha256').update(content).digest('hex');
      return { part: part as Manifest['payloads'][number]['part'], file, size, sha256 };
    });
    const manifest: Manifest = {
      format: 1,
      compatible: wish.compatible ?? 'singulate-emulated',
      version,
      payloads,
      ...(wish.emulated === undefined ? {} : { emulated: wish.emulated }),
    };
    const text = Buffer.from(JSON.stringify(manifest));
    writeFileSync(join(folder, 'manifest.json'), text);
    writeFileSync(join(folder, 'manifest.sig'), sign('sha256', text, wish.key ?? SIGNER.key));
    wish.spoil?.(folder);
    const files = wish.files ?? [
      'manifest.json',
      'manifest.sig',
      ...payloads.map(({ file }) => file),
    ];
    execFileSync('tar', ['-cf', 'bundle.tar', ...files], { cwd: folder });
    return readFileSync(join(folder, 'bundle.tar'));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Puts the certificate of who signs bundles where a reader looks for it. */
export function trustSigner(stateDir: string, { cert } = SIGNER): void {
  mkdirSync(join(stateDir, 'update'), { recursive: true });
  writeFileSync(join(stateDir, 'update', 'trusted.pem'), cert);
}

export interface Served {
  headers: IncomingHttpHeaders;
  path: string;
  status: number;
}

/** An HTTP(S) server of one file that knows ranges. */
export class FileServer {
  /** For the file. */
  readonly requests: Served[] = [];
  /** For its first byte: a look at it before it is fetched. They have the failures of `requests` to come. */
  readonly looks: Served[] = [];
  etag: string | undefined = '"first"';
  lastModified: string | undefined;
  /** More headers of answers with the file. */
  headers: Record<string, string> = {};
  /** Statuses of the next answers, with their headers, instead of the file. */
  failures: { status: number; headers?: Record<string, string> }[] = [];
  /** Bytes after which an answer stands still until it is released; Infinity: never. */
  holdAfter = Number.POSITIVE_INFINITY;
  ignoresRanges = false;
  sendsLength = true;
  url = '';
  /** Failures that the looks since the last request had. */
  #looked = 0;
  #lookedAt: unknown;
  readonly #server;
  readonly #sockets = new Set<Socket>();

  constructor(
    public content: Buffer,
    tls?: CertificateAndKey,
  ) {
    const listener: RequestListener = (incoming, response) => {
      const { headers, url = '' } = incoming;
      const isLook = headers.range === 'bytes=0-0';
      const requests = isLook ? this.looks : this.requests;
      if (!isLook || this.#lookedAt !== this.failures) this.#looked = 0;
      this.#lookedAt = this.failures;
      const failure = isLook ? this.failures[this.#looked++] : this.failures.shift();
      if (failure !== undefined) {
        requests.push({ headers, path: url, status: failure.status });
        response.writeHead(failure.status, failure.headers).end('no');
        return;
      }
      const wanted = /^bytes=(\d+)-$/.exec(headers.range ?? '');
      const validator = headers['if-range'];
      const fits =
        validator === undefined || validator === this.etag || validator === this.lastModified;
      const first = wanted !== null && fits && !this.ignoresRanges ? Number(wanted[1]) : 0;
      const total = this.content.length;
      const oneByte = isLook && this.sendsLength && !this.ignoresRanges;
      const status = first >= total ? 416 : first > 0 || oneByte ? 206 : 200;
      requests.push({ headers, path: url, status });
      const last = oneByte ? 1 : total;
      const body = status === 416 ? Buffer.alloc(0) : this.content.subarray(first, last);
      response.writeHead(status, {
        ...(this.etag === undefined ? {} : { etag: this.etag }),
        ...(this.lastModified === undefined ? {} : { 'last-modified': this.lastModified }),
        ...(this.sendsLength ? { 'content-length': String(body.length) } : {}),
        ...(status === 206 ? { 'content-range': `bytes ${first}-${last - 1}/${total}` } : {}),
        ...(status === 416 ? { 'content-range': `bytes */${total}` } : {}),
        ...this.headers,
      });
      if (body.length > this.holdAfter) {
        response.write(body.subarray(0, this.holdAfter));
      } else response.end(body);
    };
    this.#server = tls === undefined ? createServer(listener) : createHttpsServer(tls, listener);
    this.#server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket);
      socket.on('error', () => {});
    });
    this.#server.on('tlsClientError', () => {});
  }

  static async start(t: Test, content: Buffer, tls?: CertificateAndKey): Promise<FileServer> {
    const server = new FileServer(content, tls);
    await new Promise<void>((resolve) => server.#server.listen(0, '127.0.0.1', resolve));
    const { port } = server.#server.address() as AddressInfo;
    server.url = `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}/os.tar`;
    t.teardown(() => server.stop());
    return server;
  }

  /** All connections are gone, as after a cut. */
  breakOff(): void {
    for (const socket of this.#sockets) socket.destroy();
    this.#sockets.clear();
  }

  stop(): void {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
  }
}

export type UpdaterWish = Partial<UpdaterOptions> & { maxBoots?: number };

/** An updater on the emulated device of a state folder, without a gateway around it. */
export class TestUpdater {
  readonly told: UpgradeStatus[] = [];
  /** After a reboot it is another one. */
  updater: Updater;

  private constructor(
    readonly stateDir: string,
    private readonly options: UpdaterWish,
  ) {
    trustSigner(stateDir);
    this.updater = this.#make();
  }

  static async start(stateDir: string, options: UpdaterWish = {}): Promise<TestUpdater> {
    const made = new TestUpdater(stateDir, options);
    await made.updater.open();
    made.updater.resume();
    return made;
  }

  #make(): Updater {
    const { maxBoots, ...options } = this.options;
    const folder = join(this.stateDir, 'update');
    return new Updater({
      files: new NamedFiles('/nowhere'),
      reach: EVERYWHERE,
      engine: new EmulatedEngine({
        folder: join(folder, 'device'),
        trusted: join(folder, 'trusted.pem'),
        bootId: '',
        log: silent,
        ...(maxBoots === undefined ? {} : { maxBoots }),
      }),
      folder,
      log: silent,
      reboot: async () => void this.#reboot(),
      radioAnswers: () => true,
      firmwareUpdateProgress: (status) => this.told.push(status),
      confirmMs: 2000,
      ...options,
    });
  }

  /** As a gateway does: stopped, and started again. */
  async #reboot(): Promise<void> {
    await this.updater.close();
    const next = this.#make();
    await next.open();
    this.updater = next;
    next.resume();
  }

  /** Begins as a client does that has its answer at once. */
  async begin(url: string, more: object = {}): Promise<void> {
    const fast = { retry: { policy: { retries: 5, wait: { min: 0, max: 0 } } } };
    (await this.updater.begin({ url, authenticationType: 'NONE', ...fast, ...more }))();
  }
}

/** What the boot loader of an emulated device would boot, read from the disk alone. */
export interface DeviceOnDisk {
  booted: SlotName;
  version: string;
  env: BootEnv;
}

/** @throws if the slot that runs is not whole, byte for byte. */
export function readDevice(stateDir: string): DeviceOnDisk {
  const folder = join(stateDir, 'update', 'device');
  const env = checked(BootEnv, JSON.parse(readFileSync(join(folder, 'boot.json'), 'utf8')));
  return { booted: env.booted, version: checkSlot(folder, env.booted), env };
}

export function checkSlot(folder: string, slot: SlotName): string {
  const path = join(folder, 'slots', slot);
  const manifest = JSON.parse(readFileSync(join(path, 'slot.json'), 'utf8')) as Manifest;
  for (const { file, sha256 } of manifest.payloads) {
    const found = createHash('sha256')
      .update(readFileSync(join(path, file)))
      .digest('hex');
    if (found !== sha256) throw new Error(`${file} of slot ${slot} is damaged`);
  }
  return manifest.version;
}
