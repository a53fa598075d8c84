/** Where a connection sends its credentials to. Pure. */
import { type Connection, isMqtt } from '../api/connection.js';
import { brokerAddress } from '../mqtt/broker-address.js';

/** Why the stored secrets of a connection are not for a changed one; undefined = they are. */
export function otherDestination(
  changed: Connection,
  stored: Connection | undefined,
): string | undefined {
  if (stored === undefined) return undefined;
  const before = destination(stored);
  const now = destination(changed);
  const isWeaker = before.proofs.some((proof, i) => proof && !now.proofs[i]);
  if (now.address === before.address && !isWeaker) return undefined;
  const what = isWeaker ? 'with the other side proven' : 'for another address';
  return `is the mask of a secret that was given ${what}: give the secret itself`;
}

interface Destination {
  address: string;
  /** What the other side has to prove of itself. */
  proofs: boolean[];
}

function destination(connection: Connection): Destination {
  const { type, options } = connection;
  if (isMqtt(connection)) {
    const { verifyPeer = true, verifyHostName = true } = connection.options.security ?? {};
    const { host = '', port, protocol } = brokerAddress(connection.options) ?? {};
    const address = `${protocol}://${host.toLowerCase()}:${port}`;
    return { address, proofs: [verifyPeer, verifyHostName] };
  }
  if (connection.type === 'httpPost') {
    const { URL: text, security = {} } = connection.options;
    const { verifyPeer = true, verifyHost = true } = security;
    const address = URL.canParse(text) ? new URL(text).origin : text;
    return { address, proofs: [verifyPeer, verifyHost] };
  }
  return { address: JSON.stringify([type, options]), proofs: [] };
}
