/** The routes of REST: the login, the documents, the streams, the metrics, and each operation. */
import Router from '@koa/router';
import type { Context } from 'koa';
import type { Logger } from '../../shared/log.js';
import type { Admission } from '../auth/admission.js';
import type { Login } from '../auth/login.js';
import { byMethodAndPath } from '../operations/by-method-and-path.js';
import type { Operation, OperationContext } from '../operations/operation.js';
import type { StrangerCounts } from '../strangers/stranger-door.js';
import type { EventStreams } from '../streams/event-streams.js';
import { eventsHandler } from '../streams/http-stream.js';
import { loginHandler, requireStreamToken, requireToken } from './authentication.js';
import { documentRoutes } from './document-routes.js';
import { metricsHandler } from './metrics.js';
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

export interface RestRoutes {
  router: Router;
  /** Operations whose path has no parameters, by method and path: found at once. */
  exact: ReadonlyMap<string, (ctx: Context) => Promise<void>>;
}

export function restRoutes(dependencies: RestDependencies): RestRoutes {
  const { operations, context, login, admission, streams } = dependencies;
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
  return { router, exact };
}

async function noMore(): Promise<void> {}
