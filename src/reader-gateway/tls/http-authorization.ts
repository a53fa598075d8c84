/** Credentials of httpPost connections, as a header. */
import type { HttpPostOptions } from '../api/connection.js';

export function httpAuthorization({ security = {} }: HttpPostOptions): { authorization?: string } {
  const { authenticationType, authenticationOptions = {} } = security;
  const { username = '', password = '', token = '' } = authenticationOptions;
  if (authenticationType === 'BASIC') {
    const text = Buffer.from(`${username}:${password}`).toString('base64');
    return { authorization: `Basic ${text}` };
  }
  if (authenticationType === 'BEARER') return { authorization: `Bearer ${token}` };
  return {};
}
