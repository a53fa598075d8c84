/** What holds for every answer: headers for browsers, and an end for clients that do not take it. */
import { finished } from 'node:stream';
import type { Context, Middleware } from 'koa';

const HEADERS = Object.entries({
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  // Answers hold settings and tokens; an address may hold one too.
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
});
/** A client that takes no byte of its answer for so long is gone. */
const STALLED_MS = 30_000;
const LINGER_MS = 2000;

export const answerRules: Middleware = async (ctx, next) => {
  for (const [name, value] of HEADERS) ctx.res.setHeader(name, value);
  await next();
  // A stream has its own rules.
  if (ctx.respond === false) return;
  // The server takes this back with the next request.
  ctx.socket.setTimeout(STALLED_MS);
  if (!ctx.req.complete) endAfterAnswer(ctx);
};

/** Of a body that nobody wants the rest is read only until the client has seen its answer. */
function endAfterAnswer({ req, res }: Context): void {
  res.setHeader('connection', 'close');
  finished(res, () => {
    const timer = setTimeout(() => req.socket.destroy(), LINGER_MS);
    finished(req, () => clearTimeout(timer));
  });
}
