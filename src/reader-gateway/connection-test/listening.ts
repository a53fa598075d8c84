/** The steps of a tcpip-server, where this reader is the one who listens. */
import { createServer } from 'node:net';
import { createSecureContext } from 'node:tls';
import { errorMessage } from '../../shared/errors.js';
import type { TcpServerOptions } from '../api/connection.js';
import type { Certificates } from '../tls/certificates.js';
import { serverTls } from '../tls/server-tls.js';
import { StepFailure } from './steps.js';

/** @param isOwn Says whether this reader listens there already. */
export async function checkPort(port: number, isOwn: () => boolean): Promise<string> {
  try {
    await listenOnce(port);
    return `port ${port} is free`;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE' && isOwn()) return `this reader listens on port ${port} already`;
    if (code === 'EADDRINUSE') throw new StepFailure(`port ${port} is in use (EADDRINUSE)`);
    if (code === 'EACCES') {
      throw new StepFailure(`this reader may not listen on port ${port} (EACCES)`);
    }
    throw new StepFailure(errorMessage(error));
  }
}

async function listenOnce(port: number): Promise<void> {
  const server = createServer((socket) => socket.destroy());
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, resolve);
  });
  await new Promise((resolve) => server.close(resolve));
}

/** The certificate the reader would serve with is there, and its key fits. */
export async function checkServerCertificate(
  options: TcpServerOptions,
  certificates: Certificates,
): Promise<string> {
  const texts = await serverTls(options, certificates);
  if (texts.cert === undefined || texts.key === undefined) {
    throw new StepFailure('the installed certificate is without a key or a certificate');
  }
  if (texts.requestCert && texts.ca === undefined) {
    throw new StepFailure('clients need a certificate, but no CA to check it with is named');
  }
  try {
    createSecureContext(texts);
  } catch (error) {
    throw new StepFailure(`the certificate and its key cannot be used: ${errorMessage(error)}`);
  }
  return 'the certificate and its key are there, and fit';
}
