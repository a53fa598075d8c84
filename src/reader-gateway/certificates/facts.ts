/** What records and warnings say of a certificate. */
import { X509Certificate } from 'node:crypto';

const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

export interface CertificateFacts {
  issuerName: string;
  publickey: string;
  serial: string;
  subjectName: string;
  validityStart: string;
  validityEnd: string;
}

/** @throws if it cannot be read. */
export function factsOf(pem: string | Buffer): CertificateFacts {
  const certificate = new X509Certificate(pem);
  return {
    issuerName: oneLine(certificate.issuer),
    publickey: String(certificate.publicKey.export({ type: 'spki', format: 'pem' })),
    serial: BigInt(`0x${certificate.serialNumber}`).toString(),
    subjectName: oneLine(certificate.subject),
    validityStart: day(certificate.validFrom),
    validityEnd: day(certificate.validTo),
  };
}

export const NO_FACTS: CertificateFacts = {
  issuerName: '',
  publickey: '',
  serial: '',
  subjectName: '',
  validityStart: '',
  validityEnd: '',
};

/** `Mon Jun 21 12:38:03 2021`, in the time zone of this machine; days as in C: `Jun  1`. */
export function formatInstallTime(date: Date): string {
  const time = [date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(':');
  const dayOfMonth = String(date.getDate()).padStart(2, ' ');
  return `${DAYS[date.getDay()]} ${MONTHS[date.getMonth()]} ${dayOfMonth} ${time} ${date.getFullYear()}`;
}

/** `21/06/2021`. The times within certificates are UTC. */
function day(text: string): string {
  const date = new Date(text);
  return `${two(date.getUTCDate())}/${two(date.getUTCMonth() + 1)}/${date.getUTCFullYear()}`;
}

function oneLine(name: string | undefined): string {
  return (name ?? '').split('\n').join(', ');
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}
