/** Step dns: the addresses of a name, as the connections of this process find them. */
import { lookup } from 'node:dns/promises';
import { errorMessage } from '../../shared/errors.js';
import { StepFailure } from './steps.js';

export async function findAddresses(host: string): Promise<string[]> {
  try {
    return (await lookup(host, { all: true })).map(({ address }) => address);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    throw new StepFailure(reason(host, code) ?? errorMessage(error));
  }
}

function reason(host: string, code: string): string | undefined {
  switch (code) {
    case 'ENOTFOUND':
    case 'ENODATA':
      return `the name ${host} is not known (${code})`;
    case 'EAI_AGAIN':
    case 'ETIMEOUT':
      return `no name server answered for ${host} (${code})`;
    default:
      return undefined;
  }
}
