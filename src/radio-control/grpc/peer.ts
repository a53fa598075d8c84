/** Who a TLS client is, by its certificate; the handshake has verified that already. */
import type { PeerCertificate } from 'node:tls';
import { ROLES, type Role } from './roles.js';

export interface Peer {
  name: string;
  role: Role;
}

const MOST_SHOWN = 4;

/** @returns a text that says what is wrong with the certificate if it names nobody. */
export function peerOf({ subject }: Pick<PeerCertificate, 'subject'>): Peer | string {
  const names = values(subject?.CN);
  const [name] = names;
  if (name === undefined || names.length > 1 || !isName(name)) {
    return 'the client certificate must have one common name (CN) of 1 to 64 printable characters';
  }
  const units = values(subject?.OU);
  const roles = ROLES.filter((role) => units.includes(role));
  const [role] = roles;
  if (role !== undefined && roles.length === 1) return { name, role };
  const shown = units.slice(0, MOST_SHOWN).map((unit) => JSON.stringify(unit.slice(0, 64)));
  const given = shown.length === 0 ? 'none' : shown.join(', ');
  return `the client certificate must name one role as its organizational unit (OU): ${ROLES.join(', ')}; it has ${given}`;
}

function values(given: string | string[] | undefined): string[] {
  if (given === undefined) return [];
  return Array.isArray(given) ? given : [given];
}

function isName(text: string): boolean {
  return text.length <= 64 && /^[^\p{C}]+$/u.test(text);
}
