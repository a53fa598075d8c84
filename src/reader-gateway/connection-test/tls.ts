/** Step tls: a handshake with the settings of the connection, and who the server says it is. */
import { isIP } from 'node:net';
import { type ConnectionOptions, connect, type TLSSocket } from 'node:tls';
import { errorMessage } from '../../shared/errors.js';
import { StepFailure } from './steps.js';
import {
  certificateText,
  handshakeReason,
  refusedReason,
  verificationReason,
} from './tls-reasons.js';

/** How long a server has to say that it does not take our certificate, in TLS 1.3. */
const VERDICT_MS = 500;
/** After its first word of agreement: some check the certificate only then. */
const SECOND_THOUGHTS_MS = 100;

export interface TlsTarget {
  address: string;
  port: number;
  /** The name the certificate must be for. */
  host: string;
}

export async function handshake(
  { address, port, host }: TlsTarget,
  options: ConnectionOptions,
  signal: AbortSignal,
): Promise<string> {
  const hasOwn = options.cert !== undefined;
  const socket = open(
    {
      ...options,
      host: address,
      port,
      // What connections check, but the answer can name the certificate that fails.
      rejectUnauthorized: false,
      ...(isIP(host) === 0 ? { servername: host } : {}),
    },
    signal,
  );
  try {
    await agreed(socket);
  } catch (error) {
    throw new StepFailure(handshakeReason(error, hasOwn));
  }
  const certificate = certificateText(socket.getPeerCertificate());
  const problem = socket.authorized ? '' : verificationReason(socket, host);
  if (problem !== '' && options.rejectUnauthorized !== false) {
    throw new StepFailure(`${problem}; ${certificate}`);
  }
  try {
    await accepted(socket);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new StepFailure(`${refusedReason(hasOwn)} (${code}); ${certificate}`);
  }
  const words = [socket.getProtocol() ?? 'TLS', socket.getCipher().name, certificate];
  if (problem !== '') words.push(`taken without verification (verifyPeer is off): ${problem}`);
  return words.join(', ');
}

function open(options: ConnectionOptions, signal: AbortSignal): TLSSocket {
  let socket: TLSSocket;
  try {
    socket = connect(options);
  } catch (error) {
    throw new StepFailure(`the certificate files cannot be used: ${errorMessage(error)}`);
  }
  socket.on('error', () => {});
  signal.addEventListener('abort', () => socket.destroy());
  return socket;
}

function agreed(socket: TLSSocket): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once('secureConnect', resolve);
    socket.once('error', reject);
    socket.once('close', () => reject(closed()));
  });
}

/** In TLS 1.3 a client is done before the server has seen its certificate; then a session follows. */
function accepted(socket: TLSSocket): Promise<void> {
  return new Promise((resolve, reject) => {
    const isLate = socket.getProtocol() === 'TLSv1.3';
    let timer = setTimeout(resolve, isLate ? VERDICT_MS : SECOND_THOUGHTS_MS);
    socket.once('session', () => {
      clearTimeout(timer);
      timer = setTimeout(resolve, SECOND_THOUGHTS_MS);
    });
    const refused = (error: Error) => {
      clearTimeout(timer);
      reject(error);
    };
    socket.once('error', refused);
    socket.once('end', () => refused(closed()));
    socket.once('close', () => refused(closed()));
    socket.resume();
  });
}

function closed(): Error {
  return Object.assign(new Error('the server closed the connection'), { code: 'ECONNRESET' });
}
