/** An operation, or those that share a method and a path, as the handler of an HTTP route. */
import type { Context, Middleware } from 'koa';
import { isSingulateError } from '../../shared/errors.js';
import type { Logger } from '../../shared/log.js';
import type { Sharing } from '../operations/by-method-and-path.js';
import { FileAnswer } from '../operations/file-answer.js';
import type { Operation, OperationContext } from '../operations/operation.js';
import { type OperationAnswer, runOperation } from '../operations/run-operation.js';
import { queryFields, withFields } from './request-fields.js';

/** /cloud/certificates/{certname} as the router writes it. */
export function routerPath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1');
}

export function operationHandler(
  sharing: Sharing,
  context: OperationContext,
  log: Logger,
): Middleware {
  return async (ctx) => {
    const request = requestOf(ctx, sharing);
    const operation = meant(sharing, request);
    const client = ctx.socket.remoteAddress ?? '';
    try {
      give(ctx, await runOperation(operation, context, request, client));
    } catch (error) {
      if (!operation.unprocessable || !isSingulateError(error, 'INVALID')) throw error;
      // The client gets no reason, as the interface has it; the log does.
      log.info({ path: ctx.path, reason: error.message }, 'request refused');
      ctx.status = 422;
      ctx.body = '';
    }
  };
}

function give(ctx: Context, { status, body, afterAnswer }: OperationAnswer): void {
  ctx.status = status;
  if (body === undefined) ctx.body = '';
  else if (body instanceof FileAnswer) sendFile(ctx, body);
  else ctx.body = body;
  if (afterAnswer === undefined) return;
  // Also for a client that left before its answer.
  if (ctx.res.closed) afterAnswer();
  else ctx.res.once('close', afterAnswer);
}

/** The body, with what the path and, if the operation has it so, the query string say. */
function requestOf(ctx: Context, [{ inQuery, requestSchema }]: Sharing): unknown {
  const body = withFields(ctx.state.request, ctx.params ?? {}, 'path');
  if (!inQuery) return body;
  return withFields(body, queryFields(ctx.query, requestSchema), 'query');
}

function meant(sharing: Sharing, request: unknown): Operation {
  const fields = typeof request === 'object' && request !== null ? request : {};
  const found = sharing.find(({ takes }) => takes?.(fields as Record<string, unknown>) ?? true);
  return found ?? sharing[0];
}

function sendFile(ctx: Context, file: FileAnswer): void {
  ctx.attachment(file.fileName);
  ctx.type = file.contentType;
  ctx.body = file.content;
}
