/** The REST door: the operations as HTTP requests. */
import type Router from '@koa/router';
import Koa, { type Context, type Middleware } from 'koa';
import type { Logger } from '../../shared/log.js';
import { type ErrorAnswer, errorAnswer, toErrorAnswer } from '../api/errors.js';
import { answerRules } from './answer-rules.js';
import { answer } from './authentication.js';
import { notFoundPage } from './not-found.js';
import { type RestDependencies, restRoutes } from './routes.js';

export function createApp(dependencies: RestDependencies): Koa {
  const { log } = dependencies;
  const { router, exact } = restRoutes(dependencies);
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
