/**
 * What node's strict parser lets through, and a proxy before the reader might read another way:
 * it is refused before anything looks at it.
 */
import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { type ErrorAnswer, errorAnswer } from '../api/errors.js';

const REFUSAL_MS = 2000;
export const MAX_HEADERS = 100;
export const MAX_HEADER_BYTES = 16 * 1024;

/** @returns undefined: the request means one thing only. */
export function ambiguity({
  rawHeaders,
  headers,
  httpVersion,
}: IncomingMessage): ErrorAnswer | undefined {
  if (httpVersion !== '1.1' && httpVersion !== '1.0') {
    return errorAnswer('HTTP_VERSION', 'only HTTP/1.1 and HTTP/1.0 are spoken here');
  }
  if (rawHeaders.length / 2 > MAX_HEADERS) {
    return errorAnswer('HEADERS_TOO_LARGE', `there are more than ${MAX_HEADERS} headers`);
  }
  const encoding = headers['transfer-encoding'];
  if (encoding !== undefined && (encoding.toLowerCase() !== 'chunked' || httpVersion !== '1.1')) {
    return errorAnswer('INVALID', 'Transfer-Encoding: only chunked is allowed, with HTTP/1.1');
  }
  const hosts = rawHeaders.filter((text, i) => i % 2 === 0 && text.toLowerCase() === 'host');
  return hosts.length > 1 ? errorAnswer('INVALID', 'Host: is given twice') : undefined;
}

/**
 * The answer to bytes that are no request, or that came too slowly.
 * @returns undefined: nobody is there to be answered, or there was no handshake.
 */
export function answerTo({ code = '' }: NodeJS.ErrnoException): ErrorAnswer | undefined {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return errorAnswer('HEADERS_TOO_LARGE', `the headers are above ${MAX_HEADER_BYTES} bytes`);
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return errorAnswer('TOO_LARGE', 'the chunk extensions are too large');
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return errorAnswer('TOO_SLOW', 'the request did not come in time');
    default:
      return code.startsWith('HPE_')
        ? errorAnswer('INVALID', 'this is not a request of HTTP/1.1')
        : undefined;
  }
}

/** Answers on the bare connection, and ends it. */
export function refuse(socket: Duplex, { status, body, retryAfter }: ErrorAnswer): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const text = JSON.stringify(body);
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'connection: close',
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(text)}`,
    'cache-control: no-store',
    'x-content-type-options: nosniff',
    ...(retryAfter === undefined ? [] : [`retry-after: ${retryAfter}`]),
    ...(status === 401 ? ['www-authenticate: Bearer realm="reader"'] : []),
  ];
  socket.once('finish', () => socket.destroy());
  // One that does not take it is cut off.
  setTimeout(() => socket.destroy(), REFUSAL_MS).unref();
  socket.end(`${lines.join('\r\n')}\r\n\r\n${text}`);
}
