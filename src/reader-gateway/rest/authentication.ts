/** Who may call: logins by name and password, everything else by token. */
import type { Context, Middleware } from 'koa';
import { type ErrorAnswer, errorAnswer, toErrorAnswer } from '../api/errors.js';
import type { Admission } from '../auth/admission.js';
import { type Login, tooManyLogins } from '../auth/login.js';
import { bearerToken, streamToken } from '../auth/request-token.js';
import type { Tokens } from '../auth/tokens.js';

export function answer(ctx: Context, { status, body, retryAfter }: ErrorAnswer): void {
  if (retryAfter !== undefined) ctx.set('retry-after', String(retryAfter));
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
      ctx.body = { code: 0, message: await tokens.issue() };
      return;
    }
    if (checked.result === 'blocked') {
      answer(ctx, toErrorAnswer(tooManyLogins(checked.seconds)));
      return;
    }
    answer(ctx, errorAnswer('UNAUTHENTICATED', 'wrong user name or password'));
  };
}

/** Lets only requests pass that are admitted, as a rule by a valid token. */
export function requireToken(admission: Admission): Middleware {
  return requireTokenOf((ctx) => bearerToken(ctx.get('authorization')), admission);
}

/** Lets only requests for a stream pass that are admitted; their token may also be in the address. */
export function requireStreamToken(admission: Admission): Middleware {
  return requireTokenOf(
    (ctx) => streamToken(ctx.get('authorization'), new URLSearchParams(ctx.querystring)),
    admission,
  );
}

function requireTokenOf(
  tokenOf: (ctx: Context) => string | undefined,
  admission: Admission,
): Middleware {
  return async (ctx, next) => {
    const token = tokenOf(ctx);
    ctx.state.admitted = await admission.of(ctx.req, token);
    if (ctx.state.admitted !== undefined) return next();
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
