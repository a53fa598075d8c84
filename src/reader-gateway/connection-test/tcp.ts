/** Step tcp: somebody accepts connections at an address and port. */
import { connect, isIPv6 } from 'node:net';
import { errorMessage } from '../../shared/errors.js';
import { LocalAddressRefused, type Reach } from '../fetch/reach.js';
import { StepFailure } from './steps.js';

/** Tries all addresses at a time: one that swallows everything must not use up the time of others. */
export async function findOpen(
  addresses: readonly string[],
  port: number,
  signal: AbortSignal,
  reach: Reach,
): Promise<string> {
  const tries = addresses.map(async (address) => {
    try {
      reach.check(address);
      await open(address, port, signal);
      return address;
    } catch (error) {
      throw new StepFailure(tcpReason(error, address, port, reach));
    }
  });
  try {
    return await Promise.any(tries);
  } catch (error) {
    throw new StepFailure((error as AggregateError).errors.map(errorMessage).join('; '));
  }
}

export function hostAndPort(host: string, port: number): string {
  return isIPv6(host) ? `[${host}]:${port}` : `${host}:${port}`;
}

function open(address: string, port: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: address, port, signal });
    socket.on('error', reject);
    socket.on('connect', () => {
      socket.end();
      resolve();
    });
  });
}

function tcpReason(error: unknown, address: string, port: number, reach: Reach): string {
  const { code = '' } = error as NodeJS.ErrnoException;
  const where = hostAndPort(address, port);
  if (error instanceof LocalAddressRefused) return `${where} ${error.message}`;
  // One text: a client who may not look around here may not learn which ports are open elsewhere.
  if (reach.refusesLocal) return `${where} cannot be reached`;
  switch (code) {
    case 'ECONNREFUSED':
      return `nothing listens on ${where}, or a firewall refuses (ECONNREFUSED)`;
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
      return `there is no way to ${where} (${code})`;
    case 'ETIMEDOUT':
      return `${where} does not answer (ETIMEDOUT)`;
    case 'ECONNRESET':
      return `${where} broke off the connection (ECONNRESET)`;
    default:
      return `${where}: ${errorMessage(error)}`;
  }
}
