/** The arguments of `grpc-certificates`. Throws CONFIG errors. */
import { configError } from '../../shared/errors.js';
import type { CertificatesRequest } from './grpc-certificates-command.js';

const HINT = '(singulate --help lists what there is)';

export function takeForCertificates(
  request: CertificatesRequest,
  arg: string,
  rest: string[],
): void {
  if (arg === '--host') {
    const host = rest.shift();
    if (!host) throw configError('--host needs a value: --host NAME');
    request.hosts.push(host);
  } else if (arg.startsWith('-')) throw configError(`unknown option ${arg} ${HINT}`);
  else if (request.folder !== undefined) throw configError(`unexpected argument ${arg} ${HINT}`);
  else request.folder = arg;
}
