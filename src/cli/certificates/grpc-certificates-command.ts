/** `singulate grpc-certificates`: an authority, the server's certificate, and one for each role. */
import { mkdir, rm, stat, writeFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { ROLES } from '../../radio-control/grpc/roles.js';
import { configError, errorMessage } from '../../shared/errors.js';
import type { Output } from '../output.js';
import { Authority } from './authority.js';

export interface CertificatesRequest {
  folder?: string;
  hosts: string[];
}

const PRIVATE = 0o600;
const PUBLIC = 0o644;
const HOST =
  /^(?=.{1,253}$)[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?(\.[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?)*$/;
/** Of X.509. */
const MAX_COMMON_NAME = 64;

interface NewFile {
  name: string;
  content: string;
  mode: number;
}

/** Makes all of them, or none. @throws CONFIG */
export async function makeGrpcCertificates(
  { folder, hosts }: CertificatesRequest,
  { stdout }: Output,
): Promise<void> {
  const where = folder as string;
  for (const host of hosts) {
    if (isIP(host) === 0 && !HOST.test(host)) {
      throw configError(`--host: ${host} given; allowed: a DNS name or an IP address`);
    }
  }
  const names = ['ca', 'server', ...ROLES].flatMap((name) => [`${name}.crt`, `${name}.key`]);
  await refuseToOverwrite(where, names);
  await write(where, await makeAll(hosts));
  stdout.write(
    [
      `Certificates for gRPC over TLS are in ${where}:`,
      '  ca.crt                 trusted by the reader and by all clients',
      '  ca.key                 makes more certificates: keep it away from the reader',
      '  server.crt, .key       of the reader',
      ...ROLES.map(
        (role) => `  ${`${role}.crt, .key`.padEnd(23)}of a client with the role ${role}`,
      ),
      '',
      `  singulate --grpc-listen 0.0.0.0:50051 --grpc-cert ${join(where, 'server.crt')} \\`,
      `    --grpc-key ${join(where, 'server.key')} --grpc-client-ca ${join(where, 'ca.crt')}`,
      '',
    ].join('\n'),
  );
}

async function refuseToOverwrite(folder: string, names: readonly string[]): Promise<void> {
  for (const name of names) {
    const there = await stat(join(folder, name)).catch(() => undefined);
    if (there !== undefined) {
      throw configError(`${join(folder, name)} is there already; choose another folder`);
    }
  }
}

async function makeAll(hosts: readonly string[]): Promise<NewFile[]> {
  const host = hostname();
  const names = new Set(['localhost', ...(HOST.test(host) ? [host] : []), '127.0.0.1', '::1']);
  for (const one of hosts) names.add(one);
  const authority = await Authority.make('Singulate gRPC CA');
  const server = await authority.server((hosts[0] ?? host).slice(0, MAX_COMMON_NAME), [...names]);
  const files = pair('ca', authority.own).concat(pair('server', server));
  for (const role of ROLES) {
    const client = await authority.client({ commonName: role, organizationalUnit: role });
    files.push(...pair(role, client));
  }
  return files;
}

function pair(name: string, { cert, key }: { cert: string; key: string }): NewFile[] {
  return [
    { name: `${name}.key`, content: key, mode: PRIVATE },
    { name: `${name}.crt`, content: cert, mode: PUBLIC },
  ];
}

async function write(folder: string, files: readonly NewFile[]): Promise<void> {
  const written: string[] = [];
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    for (const { name, content, mode } of files) {
      const path = join(folder, name);
      await writeFile(path, content, { mode, flag: 'wx' });
      written.push(path);
    }
  } catch (error) {
    for (const path of written) await rm(path, { force: true });
    throw configError(`grpc-certificates: ${errorMessage(error)}`);
  }
}
