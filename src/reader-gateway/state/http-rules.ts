/** What the options of an httpPost connection must keep for it to work. Pure. */
import type { Violation } from '../../shared/errors.js';
import type { HttpPostOptions } from '../api/connection.js';
import { pairProblems } from './certificate-rules.js';

/** @param field Of the options, in messages. */
export function httpProblems(options: HttpPostOptions, field: string): Violation[] {
  const { URL: text, security = {} } = options;
  const problems: [path: string, message: string][] = [];
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const { authenticationType = 'NONE', authenticationOptions = {} } = security;
  const { username = '', token } = authenticationOptions;
  const login = 'security.authenticationOptions';
  switch (authenticationType) {
    case 'BASIC':
      if (username === '') {
        problems.push([`${login}.username`, 'is required with authenticationType BASIC']);
      } else if (username.includes(':')) {
        const message = 'has a colon, which ends the user name in BASIC';
        problems.push([`${login}.username`, message]);
      }
      break;
    case 'BEARER':
      if (token === undefined) {
        problems.push([`${login}.token`, 'is required with authenticationType BEARER']);
      }
      break;
    case 'TLS-Client': {
      if (url?.protocol === 'http:') {
        const message = 'TLS-Client needs a URL of https: over http nobody asks for a certificate';
        problems.push(['security.authenticationType', message]);
      }
      const { publicKeyFileLocation = '', privateKeyFileLocation = '' } = authenticationOptions;
      const { installedCertificateName = '' } = security;
      if (`${publicKeyFileLocation}${privateKeyFileLocation}${installedCertificateName}` === '') {
        const message =
          'is required with authenticationType TLS-Client, or publicKeyFileLocation and privateKeyFileLocation in authenticationOptions';
        problems.push(['security.installedCertificateName', message]);
      }
      problems.push(...pairProblems(authenticationOptions, login, security));
      break;
    }
    default:
  }
  if (
    url !== undefined &&
    url.username !== '' &&
    ['BASIC', 'BEARER'].includes(authenticationType)
  ) {
    const message = `has a user name, and authenticationType ${authenticationType} gives credentials as well`;
    problems.push(['URL', message]);
  }
  return problems.map(([path, message]) => ({ field: `${field}.${path}`, message }));
}
