/** The REST door: the operations as HTTP requests. */
import Router from '@koa/router';
import Koa, { type Context, type Middleware } from 'koa';
import type { Logger } from '../../shared/log.js';
import { type ErrorAnswer, errorAnswer, toErrorAnswer } from '../api/errors.js';
import type { Admission } from '../auth/admission.js';
import type { Login } from '../auth/login.js';
import { byMethodAndPath } from '../operations/by-method-and-path.js';
import type { Operation, OperationContext } from '../operations/operation.js';
import type { StrangerCounts } from '../strangers/stranger-door.js';
import type { EventStreams } from '../streams/event-streams.js';
import { eventsHandler } from '../streams/http-stream.js';
import { answerRules } from './answer-rules.js';
import { answer, loginHandler, requireStreamToken, requireToken } from './authentication.js';
import { documentRoutes } from './document-routes.js';
import { metricsHandler } from './metrics.js';
import { notFoundPage } from './not-found.js';
import { operationHandler, routerPath } from './operation-route.js';
import { readBody } from './read-body.js';

export interface RestDependencies {
  operations: readonly Operation[];
  context: OperationContext;
  login: Login;
  admission: Admission;
  streams: EventStreams;
  log: Logger;
  strangers: Readonly<StrangerCounts>;
}

export function createApp(dependencies: RestDependencies): Koa {
  const { operations, context, login, admission, streams, log } = dependencies;
  const router = new Router();
  router.get('/cloud/localRestLogin', loginHandler(login, admission.tokens));
  documentRoutes(router, { operations, context, tokens: admission.tokens });
  router.get(
    '/cloud/events',
    requireStreamToken(admission),
    eventsHandler(streams, admission.tokens),
  );
  const authenticated = requireToken(admission);
  router.get(
    '/cloud/metrics',
    authenticated,
    metricsHandler(context, login, dependencies.strangers),
  );
  // The router tries one route after the other, which costs more than most operations.
  const exact = new Map<string, (ctx: Context) => Promise<void>>();
  for (const sharing of byMethodAndPath(operations)) {
    const [{ method, path }] = sharing;
    const handle = operationHandler(sharing, context);
    router.register(routerPath(path), [method], [authenticated, readBody, handle]);
    exact.set(`${method} ${path}`, (ctx) =>
      authenticated(ctx, () => readBody(ctx, () => handle(ctx, noMore))),
    );
  }

  const app = new Koa();
  app.silent = true;
  app.on('error', (err) => log.warn({ err }, 'REST request failed'));
  app.use(answerRules);
  app.use(answerErrors(log));
  app.use((ctx, next) => exact.get(`${ctx.method} ${ctx.path}`)?.(ctx) ?? next());
  app.use(router.routes());
  app.use(async (ctx) => {
    const allowed = methodsOf(router, ctx.path);
    if (allowed.length === 0) {
      ctx.status = 404;
      ctx.type = 'text/html; charset=iso-8859-1';
      ctx.set('content-security-policy', "default-src 'none'");
      ctx.body = notFoundPage(ctx.path);
      return;
    }
    ctx.set('allow', allowed.join(', '));
    const message = `${ctx.method} is not allowed here; allowed: ${allowed.join(', ')}`;
    answer(ctx, errorAnswer('METHOD_NOT_ALLOWED', message));
  });
  return app;
}

async function noMore(): Promise<void> {}

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
