/** Step auth of HTTP: a HEAD of the URL with the credentials. It asks for nothing to be done. */
import { errorMessage } from '../../shared/errors.js';
import type { HttpPostOptions } from '../api/connection.js';
import type { Reach } from '../fetch/reach.js';
import type { Certificates } from '../tls/certificates.js';
import { httpAuthorization } from '../tls/http-authorization.js';
import { httpTls } from '../tls/http-tls.js';
import { StepFailure } from './steps.js';
import { handshakeReason, isCertificateAlert } from './tls-reasons.js';

export async function httpLogin(
  options: HttpPostOptions,
  certificates: Certificates,
  reach: Reach,
  signal: AbortSignal,
): Promise<string> {
  const [{ Client }, tls] = await Promise.all([import('undici'), httpTls(options, certificates)]);
  const url = new URL(options.URL);
  // The name may lead elsewhere than a moment ago.
  reach.check(url.hostname);
  const client = new Client(url.origin, { connect: { ...tls, ...reach.lookup } });
  signal.addEventListener('abort', () => void client.destroy().catch(() => {}));
  let status: number;
  try {
    const path = url.pathname + url.search;
    const headers = httpAuthorization(options);
    const answer = await client.request({ method: 'HEAD', path, headers, signal });
    status = answer.statusCode;
    await answer.body.dump();
  } catch (error) {
    if (isCertificateAlert(error)) {
      throw new StepFailure(handshakeReason(error, tls.cert !== undefined), 'tls');
    }
    throw new StepFailure(`the server did not answer: ${errorMessage(error)}`);
  }
  if (status === 401 || status === 403 || status === 407) {
    throw new StepFailure(`the server refuses the credentials: HTTP status ${status}`);
  }
  return `HTTP status ${status} to HEAD; what the server makes of a POST only an event can show`;
}
