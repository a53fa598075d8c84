/** Step dns: the addresses of a name, as the connections of this process find them. */
import { lookup } from 'node:dns/promises';
import { errorMessage } from '../../shared/errors.js';
import { LocalAddressRefused, type Reach } from '../fetch/reach.js';
import { StepFailure } from './steps.js';

export async function findAddresses(host: string, reach: Reach): Promise<string[]> {
  try {
    const found = (await lookup(host, { all: true })).map(({ address }) => address);
    for (const address of found) reach.check(address);
    return found;
  } catch (error) {
    if (error instanceof LocalAddressRefused) throw new StepFailure(`${host} ${error.message}`);
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
