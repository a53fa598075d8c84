/** Random requests name random hosts: nothing of this process gets out of the machine. */
import dns from 'node:dns';
import { syncBuiltinESMExports } from 'node:module';
import { Socket } from 'node:net';

/** Every address but a socket in a folder and the loopback refuses at once; no name is known. */
export function cutNetwork(): void {
  const connect = Socket.prototype.connect as (...args: unknown[]) => Socket;
  Socket.prototype.connect = function (this: Socket, ...args: unknown[]): Socket {
    const [given] = [args[0]].flat() as [{ path?: string; host?: string } | undefined];
    const { path, host = '' } = typeof given === 'object' && given !== null ? given : {};
    if (path || host === '127.0.0.1') return connect.apply(this, args);
    process.nextTick(() => this.destroy(failure('ECONNREFUSED', host)));
    return this;
  } as typeof Socket.prototype.connect;
  const lookup = async (name: string) => {
    throw failure('ENOTFOUND', name);
  };
  Object.assign(dns.promises, { lookup });
  syncBuiltinESMExports();
}

function failure(code: string, host: string): Error {
  return Object.assign(new Error(`${code} ${host}`), { code });
}
