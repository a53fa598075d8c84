/** The REST door: the operations as HTTP requests. */
import { finished } from 'node:stream';
import { bodyParser } from '@koa/bodyparser';
import Router from '@koa/router';
import Koa, { type Context, type Middleware } from 'koa';
import { invalid } from '../../shared/errors.js';
import type { Logger } from '../../shared/log.js';
import { VERSION } from '../../shared/package-info.js';
import { type ErrorAnswer, errorAnswer, toErrorAnswer } from '../api/errors.js';
import { show } from '../api/validate.js';
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
  for (const sharing of byMethodAndPath(operations)) {
    const [{ method, path }] = sharing;
    const handle = operationHandler(sharing, context);
    router.register(path.replaceAll(PARAMETER, ':$1'), [method], [authenticated, readBody, handle]);
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

/** {certname}, as the OpenAPI document writes it too. */
const PARAMETER = /\{(\w+)\}/g;

type Sharing = [Operation, ...Operation[]];

/** Operations that share a method and a path come together, in their order. */
function byMethodAndPath(operations: readonly Operation[]): Sharing[] {
  const groups = new Map<string, Sharing>();
  for (const operation of operations) {
    const key = `${operation.method} ${operation.path}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [operation]);
    else group.push(operation);
  }
  return [...groups.values()];
}

function operationHandler(sharing: Sharing, context: OperationContext): Middleware {
  return async (ctx) => {
    const request = withParameters(ctx.request.body ?? {}, ctx.params);
    const { body, afterAnswer } = await runOperation(meant(sharing, request), context, request);
    ctx.status = 200;
    if (body === undefined) ctx.body = '';
    else ctx.body = body;
    // Also for a client that left before its answer.
    finished(ctx.res, () => afterAnswer());
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

/** Of everything at this path; none if there is nothing. */
function methodsOf(router: Router, path: string): string[] {
  const methods = router.match(path, 'GET').path.flatMap((layer) => layer.methods);
  return [...new Set(methods)].filter((method) => method !== 'HEAD');
}
