/** Events as lines of JSON. */
import type { HttpFormat } from './http-stream.js';

export const NDJSON: HttpFormat = {
  contentType: 'application/x-ndjson',
  run: ({ bytes }) => bytes,
  notice: (json) => `${json}\n`,
  last: (json) => `${json}\n`,
  keepAlive: '\n',
};
