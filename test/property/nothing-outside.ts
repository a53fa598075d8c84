/**
 * Random requests that happen to be right name random hosts, files and programs: nothing of this
 * process gets out of it, but into one folder and to its own servers.
 */
import childProcess from 'node:child_process';
import dgram from 'node:dgram';
import dns from 'node:dns';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { isIP, Server, Socket } from 'node:net';
import { join, resolve, sep } from 'node:path';
import { PACKAGE_ROOT } from '../../src/shared/package-info.js';

// biome-ignore lint/suspicious/noExplicitAny: functions of Node.js, whatever they take
type Anything = (...args: any[]) => any;
type Functions = Record<string, Anything>;

const LOOPBACK = '127.0.0.1';
/** Of node:fs: those that change what their paths name. */
const CHANGES = [
  ...['appendFile', 'chmod', 'chown', 'lchown', 'lutimes', 'mkdir', 'mkdtemp', 'rm', 'rmdir'],
  ...['truncate', 'unlink', 'utimes', 'writeFile'],
];
/** Of two paths the second is what changes; a rename changes both. */
const CHANGES_OF_TWO = ['copyFile', 'cp', 'link', 'rename', 'symlink'];

const TAP_FOLDER = join(PACKAGE_ROOT, '.tap');

export interface Cut {
  /** What was tried that no request may bring about, right ones included: processes, other files. */
  readonly attempts: string[];
}

/** @param folder The only one that this process may write in from now on. */
export async function cutOutside(folder: string): Promise<Cut> {
  const attempts: string[] = [];
  const refuse = (what: string): never => {
    attempts.push(what);
    throw failure('EPERM', what);
  };
  cutConnections(folder);
  cutNames();
  cutProcesses(refuse);
  cutFiles(folder, refuse);
  await cutDisk();
  syncBuiltinESMExports();
  return { attempts };
}

/** Connections are refused at once, as if nobody were there: right requests ask for some. */
function cutConnections(folder: string): void {
  const ownPorts = new Set<number>();
  const { connect } = Socket.prototype;
  const { listen } = Server.prototype;
  Socket.prototype.connect = function (this: Socket, ...args: unknown[]) {
    const { path, host = '', port = 0 } = optionsOf(args);
    const isOwn = path === undefined ? ownPorts.has(Number(port)) : isIn(folder, path);
    if (isOwn && (path !== undefined || host === LOOPBACK)) {
      return (connect as Anything).apply(this, args);
    }
    process.nextTick(() => this.destroy(failure('ECONNREFUSED', host)));
    return this;
  } as typeof Socket.prototype.connect;
  Server.prototype.listen = function (this: Server, ...args: unknown[]) {
    const { path, host = '', port } = optionsOf(args);
    const isOwn = path === undefined ? host === LOOPBACK && Number(port) === 0 : isIn(folder, path);
    if (!isOwn) {
      process.nextTick(() => this.emit('error', failure('EADDRNOTAVAIL', `${host}:${port}`)));
      return this;
    }
    this.once('listening', () => {
      const address = this.address();
      if (typeof address === 'object' && address !== null) ownPorts.add(address.port);
    });
    return (listen as Anything).apply(this, args);
  } as typeof Server.prototype.listen;
  const noPacket = () => {
    throw failure('ENETUNREACH', 'a packet');
  };
  Object.assign(dgram.Socket.prototype, { bind: noPacket, connect: noPacket, send: noPacket });
}

interface Address {
  path?: string;
  host?: string;
  port?: number | string;
}

/** Of connect() and listen(), in whichever of their forms; what net has normalised is an array. */
function optionsOf(args: unknown[]): Address {
  const [first, second] = Array.isArray(args[0]) ? args[0] : args;
  if (typeof first === 'object' && first !== null) {
    const { path, ...address } = first;
    return typeof path === 'string' ? { path } : address;
  }
  if (typeof first === 'string' && Number.isNaN(Number(first))) return { path: first };
  const host = typeof second === 'string' ? { host: second } : {};
  return { port: first as number, ...host };
}

/** No name is known; an address needs nobody to be asked. */
function cutNames(): void {
  const names = Object.keys(dns).filter((name) => /^(lookup|resolve|reverse)/.test(name));
  for (const functions of [dns, dns.promises] as unknown as Functions[]) {
    for (const name of names) {
      const given = functions[name];
      if (given === undefined) continue;
      functions[name] = (host: string, ...more: unknown[]) => {
        if (name === 'lookup' && isIP(host) !== 0) return given(host, ...more);
        const unknown = failure('ENOTFOUND', host);
        const done = more.at(-1);
        if (typeof done !== 'function') return Promise.reject(unknown);
        return process.nextTick(done as Anything, unknown);
      };
    }
  }
}

function cutProcesses(refuse: (what: string) => never): void {
  Object.assign(childProcess.ChildProcess.prototype, {
    spawn: ({ file }: { file: string }) => refuse(`the program ${file}`),
  });
  for (const name of ['execFileSync', 'execSync', 'spawnSync']) {
    (childProcess as unknown as Functions)[name] = (file) => refuse(`the program ${file}`);
  }
  process.kill = (pid) => refuse(`a signal to ${pid}`);
}

function cutFiles(folder: string, refuse: (what: string) => never): void {
  const check = (name: string, path: unknown) => {
    if (typeof path === 'number' || isIn(folder, String(path))) return;
    // Not from a request: tap notes the end of the process there.
    if (isIn(TAP_FOLDER, String(path))) return;
    refuse(`${name} ${path}`);
  };
  const wrap = (functions: Functions, name: string, before: (args: unknown[]) => void) => {
    const given = functions[name];
    if (given === undefined) return;
    functions[name] = function (this: unknown, ...args: unknown[]) {
      before(args);
      return given.apply(this, args);
    };
  };
  const { promises } = fs;
  for (const functions of [fs, promises] as unknown as Functions[]) {
    const suffixes = functions === (promises as unknown as Functions) ? [''] : ['', 'Sync'];
    for (const suffix of suffixes) {
      for (const name of CHANGES) wrap(functions, name + suffix, ([path]) => check(name, path));
      for (const name of CHANGES_OF_TWO) {
        wrap(functions, name + suffix, ([from, to]) => {
          if (name === 'rename') check(name, from);
          check(name, to);
        });
      }
      wrap(functions, `open${suffix}`, ([path, flags]) => {
        if (isForWriting(flags)) check('open', path);
      });
    }
  }
  wrap(fs as unknown as Functions, 'createWriteStream', ([path]) => check('write', path));
}

function isForWriting(flags: unknown): boolean {
  const { O_WRONLY, O_RDWR, O_CREAT, O_TRUNC } = fs.constants;
  if (typeof flags === 'number') return (flags & (O_WRONLY | O_RDWR | O_CREAT | O_TRUNC)) !== 0;
  return typeof flags === 'string' && /[wa+]/.test(flags);
}

/** No power is cut here: nothing waits until the disk has it. */
async function cutDisk(): Promise<void> {
  const handle = await fs.promises.open('/dev/null', 'r');
  Object.assign(Object.getPrototypeOf(handle), { sync: async () => {}, datasync: async () => {} });
  await handle.close();
}

function isIn(folder: string, path: string): boolean {
  return `${resolve(path)}${sep}`.startsWith(`${folder}${sep}`);
}

function failure(code: string, what: string): Error {
  return Object.assign(new Error(`${code} ${what}`), { code });
}
