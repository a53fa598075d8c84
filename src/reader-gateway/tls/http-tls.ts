/** TLS of httpPost connections. */
import type { HttpPostOptions } from '../api/connection.js';
import type { Certificates } from './certificates.js';
import { type ClientTlsOptions, clientTlsOptions } from './client-tls.js';

/** For `connect` of undici. @throws if a file is missing. */
export async function httpTls(
  { security = {} }: HttpPostOptions,
  certificates: Certificates,
): Promise<ClientTlsOptions> {
  const { authenticationType, authenticationOptions = {}, verifyPeer, verifyHost } = security;
  const { publicKeyFileLocation, privateKeyFileLocation } = authenticationOptions;
  const all = await clientTlsOptions(
    {
      certificates: { ...security, publicKeyFileLocation, privateKeyFileLocation },
      verifyPeer,
      verifyHost,
    },
    certificates,
  );
  if (authenticationType === 'TLS-Client') return all;
  // Who the reader is it shows only where it was told to.
  const { cert: _cert, key: _key, ...rest } = all;
  return rest;
}
