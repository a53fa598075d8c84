/** Reads the body of a request: JSON whatever its content type, also of GET; nothing at all means {}. */
import type { IncomingMessage } from 'node:http';
import type { Middleware } from 'koa';
import { type ErrorAnswer, errorAnswer } from '../api/errors.js';
import { parseRequest } from '../api/request-json.js';
import { MAX_HEADERS } from '../http/request-guard.js';

export const BODY_LIMIT = 1_000_000;

/** Leaves the request in ctx.state.request. */
export const readBody: Middleware = async (ctx, next) => {
  const encoding = ctx.get('content-encoding').toLowerCase();
  if (encoding !== '' && encoding !== 'identity') {
    throw answered(errorAnswer('INVALID', 'Content-Encoding: bodies are taken as they are'));
  }
  ctx.state.request = hasBody(ctx.req) ? parsed(await bytesOf(ctx.req)) : {};
  return next();
};

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
}

/** A body that says it is too large is not read at all, another one not further than the limit. */
async function bytesOf(request: IncomingMessage): Promise<Buffer> {
  const tooLarge = () =>
    answered(errorAnswer('TOO_LARGE', `the body is above ${BODY_LIMIT} bytes`));
  if (Number(request.headers['content-length'] ?? 0) > BODY_LIMIT) throw tooLarge();
  const chunks: Buffer[] = [];
  let length = 0;
  return new Promise((resolve, reject) => {
    request.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length > BODY_LIMIT) {
        chunks.length = 0;
        reject(tooLarge());
      } else {
        chunks.push(chunk);
      }
    });
    request.on('end', () => {
      // Pairs of name and value.
      if (request.rawTrailers.length / 2 > MAX_HEADERS) {
        const message = `there are more than ${MAX_HEADERS} trailers`;
        reject(answered(errorAnswer('HEADERS_TOO_LARGE', message)));
      } else {
        resolve(Buffer.concat(chunks));
      }
    });
    request.on('error', () => reject(answered(errorAnswer('INVALID', 'the body broke off'))));
  });
}

function parsed(bytes: Buffer): unknown {
  const text = bytes.toString('utf8');
  return text.trim() === '' ? {} : parseRequest(text, 'the body');
}

function answered(answer: ErrorAnswer): Error {
  return Object.assign(new Error(answer.body.message), { answer });
}
