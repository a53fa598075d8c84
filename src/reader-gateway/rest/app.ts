/** The REST door: the operations as HTTP requests. */
import { finished } from 'node:stream';
import { bodyParser } from '@koa/bodyparser';
import Router from '@koa/router';
import Koa, { type Context, type Middleware } from 'koa';
import { isSingulateError } from '../../shared/errors.js';
import type { Logger } from '../../shared/log.js';
import { VERSION } from '../../shared/package-info.js';
import { type ErrorAnswer, errorAnswer, toErrorAnswer } from '../api/errors.js';
import type { Login } from '../auth/login.js';
import type { Tokens } from '../auth/tokens.js';
import { FileAnswer } from '../operations/file-answer.js';
import type { Operation, OperationContext } from '../operations/operation.js';
import { runOperation } from '../operations/run-operation.js';
import type { EventStreams } from '../streams/event-streams.js';
import { eventsHandler } from '../streams/http-stream.js';
import { answer, loginHandler, requireStreamToken, requireToken } from './authentication.js';
import { metricsHandler } from './metrics.js';
import { notFoundPage } from './not-found.js';

export interface RestDependencies {
  operations: readonly Operation[];
  context: OperationContext;
  login: Login;
  tokens: Tokens;
  streams: EventStreams;
  log: Logger;
}

const BODY_LIMIT = '1mb';

export function createApp(dependencies: RestDependencies): Koa {
  const { operations, context, login, tokens, streams, log } = dependencies;
  const router = new Router();
  router.get('/cloud/localRestLogin', loginHandler(login, tokens));
  router.get('/cloud/openapi.json', async (ctx) => {
    const { openApiDocument } = await import('../api/openapi.js');
    ctx.body = openApiDocument(operations, VERSION);
  });
  router.get('/cloud/events', requireStreamToken(tokens), eventsHandler(streams));
  const authenticated = requireToken(tokens);
  router.get('/cloud/metrics', authenticated, metricsHandler(context));
  for (const operation of operations) {
    const handle = operationHandler(operation, context, log);
    const handlers = [authenticated, readBody, handle] as const;
    router.register(operation.path, [operation.method], [...handlers]);
  }

  const app = new Koa();
  app.silent = true;
  app.on('error', (err) => log.warn({ err }, 'REST request failed'));
  app.use(answerErrors(log));
  app.use(router.routes());
  app.use(async (ctx) => {
    const allowed = methodsOf(router, ctx.path);
    if (allowed.length === 0) {
      ctx.status = 404;
      ctx.type = 'text/html; charset=iso-8859-1';
      ctx.body = notFoundPage(ctx.path);
      return;
    }
    ctx.set('allow', allowed.join(', '));
    const message = `${ctx.method} is not allowed here; allowed: ${allowed.join(', ')}`;
    answer(ctx, errorAnswer('METHOD_NOT_ALLOWED', message));
  });
  return app;
}

function operationHandler(
  operation: Operation,
  context: OperationContext,
  log: Logger,
): Middleware {
  return async (ctx) => {
    const answered = await runOperation(operation, context, requestOf(ctx)).catch((error) => {
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
    const { body, afterAnswer } = answered;
    ctx.status = operation.successStatus ?? 200;
    if (body === undefined) ctx.body = '';
    else if (body instanceof FileAnswer) sendFile(ctx, body);
    else ctx.body = body;
    // Also for a client that left before its answer.
    finished(ctx.res, () => afterAnswer());
  };
}

/** What the path says counts before what the body says. */
function requestOf(ctx: Context & { params?: Record<string, string> }): unknown {
  const { params = {} } = ctx;
  const body: unknown = ctx.request.body ?? {};
  const isObject = typeof body === 'object' && body !== null && !Array.isArray(body);
  return Object.keys(params).length > 0 && isObject ? { ...body, ...params } : body;
}

function sendFile(ctx: Context, file: FileAnswer): void {
  ctx.attachment(file.fileName);
  ctx.type = file.contentType;
  ctx.body = file.content;
}

/** Clients send JSON with any content type or none, also with GET; nothing at all means {}. */
const readBody: Middleware = bodyParser({
  parsedMethods: ['GET', 'PUT', 'POST', 'DELETE'],
  detectJSON: () => true,
  jsonLimit: BODY_LIMIT,
  onError: (error) => {
    throw Object.assign(new Error(error.message), { answer: bodyError(error) });
  },
});

function bodyError(error: Error & { status?: number }): ErrorAnswer {
  if (error.status === 413) return errorAnswer('TOO_LARGE', `the body is above ${BODY_LIMIT}`);
  return errorAnswer('INVALID', `the body is not JSON: ${error.message}`);
}

function answerErrors(log: Logger): Middleware {
  return async (ctx: Context, next) => {
    try {
      await next();
    } catch (error) {
      const given = (error as { answer?: ErrorAnswer }).answer ?? toErrorAnswer(error);
      if (given.body.code === errorAnswer('INTERNAL', '').body.code) {
        log.error({ err: error, method: ctx.method, path: ctx.path }, 'operation failed');
      }
      answer(ctx, given);
    }
  };
}

/** In the order of the table. HEAD comes with every GET. */
function methodsOf(router: Router, path: string): string[] {
  const methods = router.match(path, '').path.flatMap((layer) => layer.methods);
  return [...new Set(methods)].filter((method) => method !== 'HEAD');
}
