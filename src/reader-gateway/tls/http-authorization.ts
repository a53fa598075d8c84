/** Credentials of httpPost connections, as a header. */
import type { HttpPostOptions } from '../api/connection.js';
import { urlLogin } from './url-login.js';

export function httpAuthorization({ URL: url, security = {} }: HttpPostOptions): {
  authorization?: string;
} {
  const { authenticationType, authenticationOptions = {} } = security;
  const { username = '', password = '', token = '' } = authenticationOptions;
  if (authenticationType === 'BASIC') return basic(username, password);
  if (authenticationType === 'BEARER') return { authorization: `Bearer ${token}` };
  const login = urlLogin(new URL(url));
  return login === undefined ? {} : basic(login.username, login.password);
}

function basic(username: string, password: string): { authorization: string } {
  const text = Buffer.from(`${username}:${password}`).toString('base64');
  return { authorization: `Basic ${text}` };
}
