/** The REST door: the operations as HTTP requests. */
import { finished } from 'node:stream';
import { bodyParser } from '@koa/bodyparser';
import Router from '@koa/router';
import Koa, { type Context, type Middleware } from 'koa';
import type { Logger } from '../../shared/log.js';
import { VERSION } from '../../shared/package-info.js';
import { type ErrorAnswer, errorAnswer, toErrorAnswer } from '../api/errors.js';
import type { Login } from '../auth/login.js';
import type { Tokens } from '../auth/tokens.js';
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
    const handle = operationHandler(operation, context);
    const handlers = [authenticated, readBody, handle] as const;
    if (operation.method === 'GET') router.get(operation.path, ...handlers);
    else if (operation.method === 'POST') router.post(operation.path, ...handlers);
    else router.put(operation.path, ...handlers);
  }
  const methods = methodsByPath(operations);

  const app = new Koa();
  app.silent = true;
  app.on('error', (err) => log.warn({ err }, 'REST request failed'));
  app.use(answerErrors(log));
  app.use(router.routes());
  app.use(async (ctx) => {
    const allowed = methods.get(ctx.path);
    if (allowed === undefined) {
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

function operationHandler(operation: Operation, context: OperationContext): Middleware {
  return async (ctx) => {
    const request = ctx.request.body ?? {};
    const { status, body, afterAnswer } = await runOperation(operation, context, request);
    ctx.status = status;
    if (body === undefined) ctx.body = '';
    else ctx.body = body;
    // Also for a client that left before its answer.
    finished(ctx.res, () => afterAnswer());
  };
}

/** Clients send JSON with any content type or none, also with GET; nothing at all means {}. */
const readBody: Middleware = bodyParser({
  parsedMethods: ['GET', 'PUT', 'POST'],
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

function methodsByPath(operations: readonly Operation[]): Map<string, string[]> {
  const methods = new Map<string, string[]>([
    ['/cloud/localRestLogin', ['GET']],
    ['/cloud/openapi.json', ['GET']],
    ['/cloud/events', ['GET']],
    ['/cloud/metrics', ['GET']],
  ]);
  for (const { path, method } of operations) {
    methods.set(path, [...(methods.get(path) ?? []), method]);
  }
  return methods;
}
