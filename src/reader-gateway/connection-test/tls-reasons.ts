/** What TLS has to say, in words for the person who set up the connection. */
import type { PeerCertificate, TLSSocket } from 'node:tls';
import { errorMessage } from '../../shared/errors.js';

const VERIFICATION: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'the certificate has expired',
  CERT_NOT_YET_VALID: 'the certificate is not yet valid (is the clock of the reader right?)',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'the certificate is self-signed, and not trusted',
  SELF_SIGNED_CERT_IN_CHAIN: 'the certificate is of an unknown CA',
  UNABLE_TO_GET_ISSUER_CERT: 'the certificate is of an unknown CA',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'the certificate is of an unknown CA',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'the certificate is of an unknown CA',
  CERT_SIGNATURE_FAILURE: 'the certificate is of an unknown CA of the same name',
  CERT_REVOKED: 'the certificate was revoked',
};

/** Why the certificate of the server did not pass. */
export function verificationReason(socket: TLSSocket, host: string): string {
  // A code, whatever the types say.
  const code = String(socket.authorizationError);
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    const { subject, subjectaltname } = socket.getPeerCertificate();
    const names = subjectaltname ?? `CN=${subject?.CN ?? ''}`;
    return `host name mismatch: the certificate is for ${names}, not for ${host}`;
  }
  const words = VERIFICATION[code];
  return words === undefined ? `the certificate is not trusted: ${code}` : `${words} (${code})`;
}

/** Is this error an alert of the other side about our certificate? */
export function isCertificateAlert(error: unknown): boolean {
  return /ALERT_(BAD_CERT|CERT|UNKNOWN_CA|UNSUPPORTED_CERT|ACCESS_DENIED)/.test(codeOf(error));
}

/** @param hasOwn A client certificate was offered. */
export function handshakeReason(error: unknown, hasOwn: boolean): string {
  const code = codeOf(error);
  const ownRefused = refusedReason(hasOwn);
  if (isCertificateAlert(error)) return `${ownRefused} (${code})`;
  if (/WRONG_VERSION_NUMBER|PACKET_LENGTH|UNEXPECTED_MESSAGE|HTTP_REQUEST/.test(code)) {
    return `the server does not speak TLS on this port (${code})`;
  }
  if (/PROTOCOL_VERSION|UNSUPPORTED_PROTOCOL/.test(code)) {
    return `no version of TLS in common (${code})`;
  }
  if (/HANDSHAKE_FAILURE/.test(code)) {
    return `the server broke off the handshake: no cipher in common, or ${ownRefused} (${code})`;
  }
  if (code === 'ECONNRESET' || code === 'EPIPE') {
    return `the server closed the connection during the handshake: it does not speak TLS on this port, or ${ownRefused} (${code})`;
  }
  return errorMessage(error);
}

/** Why a server breaks off once TLS itself is agreed. */
export function refusedReason(hasOwn: boolean): string {
  return hasOwn
    ? 'the server refused our client certificate'
    : 'the server wants a client certificate, and the connection has none';
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? '';
}

/** Whose it is, who signed it, and its validity. */
export function certificateText(certificate: PeerCertificate): string {
  // A server without a certificate has an empty object.
  if (certificate.subject === undefined) return 'without a certificate';
  const { subject, issuer, valid_from: from, valid_to: to } = certificate;
  return `certificate of ${name(subject)} by ${name(issuer)}, valid ${day(from)} to ${day(to)}`;
}

function name(parts: object): string {
  const texts = Object.entries(parts).map(([key, value]) => `${key}=${[value].flat().join('+')}`);
  return `"${texts.join(', ')}"`;
}

function day(text: string): string {
  const date = new Date(text);
  return Number.isNaN(date.getTime()) ? text : date.toISOString().slice(0, 10);
}
