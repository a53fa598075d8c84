/** A radio-control process that listens on TLS, and clients with certificates. */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ServiceError } from '@grpc/grpc-js';
import type { Test } from 'tap';
import { freePort } from '../../bench/delivery/free-port.js';
import { RadioClient } from '../../src/contract/client.js';
import { Authority, type CertificateAndKey, type Wanted } from '../gateway/certificates.js';
import { type RadioControlProcess, startRadioControl } from '../oem/radio-control.js';

export class Certificates {
  readonly ours = new Authority('Our CA');
  readonly folder: string;

  constructor(t: Test) {
    this.folder = t.testdir({});
    this.install(this.ours.issue({ name: 'reader' }));
    this.write('ca.crt', this.ours.cert);
  }

  path(name: string): string {
    return join(this.folder, name);
  }

  write(name: string, content: string, mode = 0o600): void {
    writeFileSync(this.path(name), content);
    chmodSync(this.path(name), mode);
  }

  /** What the service shows its clients. */
  install({ cert, key }: CertificateAndKey): void {
    this.write('server.crt', cert);
    this.write('server.key', key);
  }

  get options(): string[] {
    return [
      ...['--grpc-cert', this.path('server.crt')],
      ...['--grpc-key', this.path('server.key')],
      ...['--grpc-client-ca', this.path('ca.crt')],
    ];
  }
}

export interface SecureRadio {
  service: RadioControlProcess;
  certificates: Certificates;
  port: number;
  /** One that our CA signed, or another. */
  client(wanted: Wanted, authority?: Authority): RadioClient;
  clientWith(pair: CertificateAndKey, ca?: string): RadioClient;
}

export async function secureRadio(t: Test, args: string[] = []): Promise<SecureRadio> {
  const certificates = new Certificates(t);
  const port = await freePort();
  const service = await startRadioControl(t, [
    ...['--grpc-listen', `127.0.0.1:${port}`],
    ...certificates.options,
    ...args,
  ]);
  const clientWith = ({ cert, key }: CertificateAndKey, ca = certificates.ours.cert) => {
    const tls = { ca: Buffer.from(ca), cert: Buffer.from(cert), key: Buffer.from(key) };
    const client = new RadioClient(`127.0.0.1:${port}`, tls);
    t.teardown(() => client.close());
    return client;
  };
  const client = (wanted: Wanted, authority = certificates.ours) =>
    clientWith(authority.issue(wanted));
  return { service, certificates, port, client, clientWith };
}

/** For sockets: their paths are short. */
export function shortFolder(t: Test): string {
  const folder = mkdtempSync(join(tmpdir(), 'singulate-'));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** @returns what the service says when it does not start. */
export async function complaint(t: Test, args: string[]): Promise<string> {
  try {
    await startRadioControl(t, args);
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error('it started');
}

/** A client on a Unix socket, which goes with the test. */
export function socketClient(t: Test, target: string): RadioClient {
  const client = new RadioClient(target);
  t.teardown(() => client.close());
  return client;
}

/** @returns code and details of the refusal, or undefined if the call succeeded. */
export async function refusal(
  call: Promise<unknown>,
): Promise<{ code: number; details: string } | undefined> {
  try {
    await call;
    return undefined;
  } catch (error) {
    const { code, details } = error as ServiceError;
    return { code, details };
  }
}

export async function until(check: () => boolean | Promise<boolean>, what: string): Promise<void> {
  for (let i = 0; i < 1500; i++) {
    if (await check()) return;
    await sleep(20);
  }
  throw new Error(`waited in vain until ${what}`);
}
