/** An operation, or those that share a method and a path, as the handler of an HTTP route. */
import type { Context, Middleware } from 'koa';
import { invalid, isSingulateError } from '../../shared/errors.js';
import type { Logger } from '../../shared/log.js';
import { show } from '../api/validate.js';
import { FileAnswer } from '../operations/file-answer.js';
import type { Operation, OperationContext } from '../operations/operation.js';
import { runOperation } from '../operations/run-operation.js';

/** At least one; the order is that of the table. */
export type Sharing = [Operation, ...Operation[]];

/** Operations that share a method and a path come together, in their order. */
export function byMethodAndPath(operations: readonly Operation[]): Sharing[] {
  const groups = new Map<string, Sharing>();
  for (const operation of operations) {
    const key = `${operation.method} ${operation.path}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [operation]);
    else group.push(operation);
  }
  return [...groups.values()];
}

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
    const request = withParameters(ctx.state.request, ctx.params ?? {});
    const operation = meant(sharing, request);
    const client = ctx.socket.remoteAddress ?? '';
    const answered = await runOperation(operation, context, request, client).catch((error) => {
      if (!operation.unprocessable || !isSingulateError(error, 'INVALID')) throw error;
      // The client gets no reason, as the interface has it; the log does.
      log.info({ path: ctx.path, reason: error.message }, 'request refused');
      return undefined;
    });
    if (answered === undefined) {
      ctx.status = 422;
      ctx.body = '';
      return;
    }
    const { status, body, afterAnswer } = answered;
    ctx.status = status;
    if (body === undefined) ctx.body = '';
    else if (body instanceof FileAnswer) sendFile(ctx, body);
    else ctx.body = body;
    // Also for a client that left before its answer.
    if (ctx.res.closed) afterAnswer();
    else ctx.res.once('close', afterAnswer);
  };
}

/** The body with the parameters of the path. @throws INVALID if it says something else. */
function withParameters(body: unknown, parameters: Record<string, string>): unknown {
  const fields = Object.entries(parameters);
  // The schema has its say on what is no object.
  if (fields.length === 0 || typeof body !== 'object' || body === null || Array.isArray(body)) {
    return body;
  }
  const given = body as Record<string, unknown>;
  const problems = fields
    .filter(([field, value]) => given[field] !== undefined && given[field] !== value)
    .map(([field, value]) => ({
      field,
      message: `${show(given[field])} is not the ${show(value)} of the path`,
    }));
  if (problems.length > 0) throw invalid(problems);
  return { ...given, ...parameters };
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
