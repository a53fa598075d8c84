/** TLS of every server of the reader. */
import { constants } from 'node:crypto';

/** Ciphers that authenticate what they encrypt, with a key that is thrown away afterwards. */
const CIPHERS = [
  'TLS_AES_128_GCM_SHA256',
  'TLS_AES_256_GCM_SHA384',
  'TLS_CHACHA20_POLY1305_SHA256',
  'ECDHE-ECDSA-AES128-GCM-SHA256',
  'ECDHE-RSA-AES128-GCM-SHA256',
  'ECDHE-ECDSA-AES256-GCM-SHA384',
  'ECDHE-RSA-AES256-GCM-SHA384',
  'ECDHE-ECDSA-CHACHA20-POLY1305',
  'ECDHE-RSA-CHACHA20-POLY1305',
];

/**
 * Groups of the key agreement (RFC 8446, section 4.2.7). The finite-field ones, which are on by
 * default, cost the event loop up to 300 ms for each stranger's first packet, P-521 13 ms.
 */
const GROUPS = ['X25519', 'P-256', 'P-384'];

export const SERVER_TLS = {
  minVersion: 'TLSv1.2' as const,
  ciphers: CIPHERS.join(':'),
  ecdhCurve: GROUPS.join(':'),
  honorCipherOrder: true,
  // A client that negotiates again and again costs the reader most of the work.
  secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
};

/** A client that does not end its handshake is cut off. */
export const HANDSHAKE_MS = 10_000;
