/** Who may call: logins by name and password, everything else by token. */
import type { Context, Middleware } from 'koa';
import { type ErrorAnswer, errorAnswer } from '../api/errors.js';
import type { Login } from '../auth/login.js';
import { bearerToken, streamToken } from '../auth/request-token.js';
import type { Tokens } from '../auth/tokens.js';

export function answer(ctx: Context, { status, body }: ErrorAnswer): void {
  ctx.status = status;
  ctx.body = body;
}

/** GET /cloud/localRestLogin: Basic credentials for a JWT. */
export function loginHandler(login: Login, tokens: Tokens): Middleware {
  return async (ctx) => {
    const credentials = basicCredentials(ctx.get('authorization'));
    if (credentials === undefined) {
      ctx.set('www-authenticate', 'Basic realm="reader", charset="UTF-8"');
      answer(ctx, errorAnswer('UNAUTHENTICATED', 'Basic credentials are required'));
      return;
    }
    const { user, password } = credentials;
    const checked = await login.check(user, password, ctx.socket.remoteAddress ?? '');
    if (checked.result === 'ok') {
      ctx.set('cache-control', 'no-store');
      ctx.body = { code: 0, message: await tokens.issue() };
      return;
    }
    if (checked.result === 'blocked') {
      ctx.set('retry-after', String(checked.seconds));
      const message = `too many failed logins, try again in ${checked.seconds} s`;
      answer(ctx, errorAnswer('TOO_MANY_LOGINS', message));
      return;
    }
    answer(ctx, errorAnswer('UNAUTHENTICATED', 'wrong user name or password'));
  };
}

/** Lets only requests with a valid token pass. */
export function requireToken(tokens: Tokens): Middleware {
  return requireTokenOf((ctx) => bearerToken(ctx.get('authorization')), tokens);
}

/** The same for streams, whose token may also be in the address. */
export function requireStreamToken(tokens: Tokens): Middleware {
  return requireTokenOf(
    (ctx) => streamToken(ctx.get('authorization'), new URLSearchParams(ctx.querystring)),
    tokens,
  );
}

function requireTokenOf(tokenOf: (ctx: Context) => string | undefined, tokens: Tokens): Middleware {
  return async (ctx, next) => {
    const token = tokenOf(ctx);
    if (token && (await tokens.verify(token))) return next();
    ctx.set('www-authenticate', 'Bearer realm="reader"');
    const what = token ? 'the token is not valid or has expired' : 'a Bearer token is required';
    answer(ctx, errorAnswer('UNAUTHENTICATED', `${what}: GET /cloud/localRestLogin gives one`));
  };
}

function basicCredentials(header: string): { user: string; password: string } | undefined {
  const found = /^basic +([a-z0-9+/=]+)$/i.exec(header);
  if (found?.[1] === undefined) return undefined;
  const text = Buffer.from(found[1], 'base64').toString('utf8');
  const colon = text.indexOf(':');
  if (colon < 0) return undefined;
  return { user: text.slice(0, colon), password: text.slice(colon + 1) };
}
