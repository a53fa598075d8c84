/** Checks that ports are free before anything is started that needs them. */
import { once } from 'node:events';
import { createServer } from 'node:net';
import { configError } from '../shared/errors.js';

export interface PortUse {
  option: string;
  port: number;
  /** undefined = every address. */
  host?: string;
}

/** Throws CONFIG: names the first port that cannot be had and its option. */
export async function checkPorts(uses: readonly PortUse[]): Promise<void> {
  for (const [i, { option, port }] of uses.entries()) {
    const other = uses.slice(0, i).find((use) => use.port === port);
    if (other)
      throw configError(`${other.option} and ${option} are both ${port}; allowed: two ports`);
  }
  const faults = await Promise.all(uses.map(tryListen));
  const fault = faults.find((text) => text !== undefined);
  if (fault) throw configError(fault);
}

async function tryListen({ option, port, host }: PortUse): Promise<string | undefined> {
  const server = createServer();
  try {
    server.listen({ port, ...(host === undefined ? {} : { host }), exclusive: true });
    await once(server, 'listening');
    return undefined;
  } catch (error) {
    return listenFault(option, port, error);
  } finally {
    if (server.listening) {
      server.close();
      await once(server, 'close');
    }
  }
}

export function listenFault(option: string, port: number, error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE') return `${option}: port ${port} is in use by another program`;
  if (code === 'EACCES') return `${option}: port ${port} needs rights that this user does not have`;
  return `${option}: port ${port} cannot be had: ${message}`;
}
