/** An operation, or those that share a method and a path, as the handler of an HTTP route. */
import type { Context, Middleware } from 'koa';
import { isSingulateError } from '../../shared/errors.js';
import { NoPayload } from '../api/empty.js';
import { toErrorAnswer, UNPROCESSABLE } from '../api/errors.js';
import type { Sharing } from '../operations/by-method-and-path.js';
import { FileAnswer } from '../operations/file-answer.js';
import { type Operation, type OperationContext, takesQuery } from '../operations/operation.js';
import { type OperationAnswer, runOperation } from '../operations/run-operation.js';
import { answer } from './authentication.js';
import { queryFields, withFields } from './request-fields.js';

/** /cloud/certificates/{certname} as the router writes it. */
export function routerPath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1');
}

export function operationHandler(sharing: Sharing, context: OperationContext): Middleware {
  return async (ctx) => {
    const request = requestOf(ctx, sharing);
    const operation = meant(sharing, request);
    const client = ctx.socket.remoteAddress ?? '';
    try {
      give(ctx, await runOperation(operation, context, request, client));
    } catch (error) {
      if (!operation.unprocessable || !isSingulateError(error, 'INVALID')) throw error;
      answer(ctx, { ...toErrorAnswer(error), status: UNPROCESSABLE });
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

/** The body, with what the path and the query string say. */
function requestOf(ctx: Context, [operation]: Sharing): unknown {
  const body = withFields(ctx.state.request, ctx.params ?? {}, 'path');
  if (ctx.querystring === '') return body;
  const schema = takesQuery(operation) ? operation.requestSchema : NoPayload;
  return withFields(body, queryFields(ctx.query, schema), 'query');
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
