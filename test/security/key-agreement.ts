/** Groups of TLS 1.3, by the names that OpenSSL has for them. */

export const CHEAP_GROUPS = ['X25519', 'P-256', 'P-384'] as const;

/** The first packet of a stranger would cost a server up to 300 ms. */
export const DEAR_GROUPS = [
  'ffdhe2048',
  'ffdhe3072',
  'ffdhe4096',
  'ffdhe6144',
  'ffdhe8192',
  'P-521',
  'X448',
] as const;
