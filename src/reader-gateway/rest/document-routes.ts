/** The documents of the interface, and the pages that show them. No token is needed. */
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type Router from '@koa/router';
import type { Context } from 'koa';
import { Cached } from '../../shared/cached.js';
import { PACKAGE_ROOT, VERSION } from '../../shared/package-info.js';
import { bearerToken } from '../auth/request-token.js';
import type { Tokens } from '../auth/tokens.js';
import type { AsyncApiBasis } from '../documents/asyncapi.js';
import type { DocumentBasis } from '../documents/openapi.js';
import type { Operation, OperationContext } from '../operations/operation.js';
import { ANY_HOST, ReadyDocument } from './ready-document.js';

export interface DocumentDependencies {
  operations: readonly Operation[];
  context: OperationContext;
  tokens: Tokens;
}

/** What is told to everybody may be so old. */
const RECENT_MS = 1000;

const PAGES = join(PACKAGE_ROOT, 'src/reader-gateway/documents/pages');
const swaggerUi = () =>
  dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));

/** Everything that the pages are made of, by what follows /cloud/docs. */
const FILES: Readonly<Record<string, { type: string; path(): string }>> = {
  '': { type: 'text/html', path: () => join(PAGES, 'operations.html') },
  '/events': { type: 'text/html', path: () => join(PAGES, 'events.html') },
  '/operations.js': { type: 'text/javascript', path: () => join(PAGES, 'operations.js') },
  '/events.js': { type: 'text/javascript', path: () => join(PAGES, 'events.js') },
  '/pages.css': { type: 'text/css', path: () => join(PAGES, 'pages.css') },
  '/swagger-ui.css': { type: 'text/css', path: () => join(swaggerUi(), 'swagger-ui.css') },
  '/swagger-ui.js': {
    type: 'text/javascript',
    path: () => join(swaggerUi(), 'swagger-ui-bundle.js'),
  },
};

/** Nothing from elsewhere, nothing inline; the pictures of the style sheets are in them. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

export function documentRoutes(router: Router, dependencies: DocumentDependencies): void {
  const { operations, context, tokens } = dependencies;
  const common = { operations, version: VERSION };
  let documents: Documents | undefined;
  const load = async () => {
    documents ??= await loadDocuments(common);
    return documents;
  };
  // Who has no token gets what was known a moment ago: it costs the radio nothing.
  const recent = new Cached(async () => (await load()).readerFacts(context), RECENT_MS);
  const factsFor = async (mayKnow: boolean) =>
    mayKnow ? (await load()).readerFacts(context) : recent.read();
  const hasToken = async (ctx: Context) => {
    const token = bearerToken(ctx.get('authorization'));
    return token !== undefined && (await tokens.verify(token));
  };
  router.get('/cloud/openapi.json', async (ctx) => {
    const { openApi } = await load();
    await openApi.answer(ctx, { facts: await factsFor(await hasToken(ctx)) });
  });
  router.get('/cloud/asyncapi.json', async (ctx) => {
    const { asyncApi, UNNAMED } = await load();
    // Where events go is configuration: who has no token sees the messages only.
    const mayKnow = await hasToken(ctx);
    const connections = mayKnow ? connectionsOf(context) : UNNAMED;
    await asyncApi.answer(ctx, { facts: await factsFor(mayKnow), connections });
  });
  for (const [name, { type, path }] of Object.entries(FILES)) {
    router.get(`/cloud/docs${name}`, (ctx) => sendFile(ctx, type, path()));
  }
}

type Documents = Awaited<ReturnType<typeof loadDocuments>>;

/** Loaded with the first request: a reader that nobody asks needs none of it. */
async function loadDocuments(common: Pick<DocumentBasis, 'operations' | 'version'>) {
  const [{ openApiDocument }, { asyncApiDocument, UNNAMED }, { readerFacts }] = await Promise.all([
    import('../documents/openapi.js'),
    import('../documents/asyncapi.js'),
    import('../documents/reader-facts.js'),
  ]);
  return {
    openApi: new ReadyDocument<Pick<DocumentBasis, 'facts'>>((basis) =>
      openApiDocument({ ...common, ...basis }),
    ),
    asyncApi: new ReadyDocument<Pick<AsyncApiBasis, 'facts' | 'connections'>>((basis) =>
      asyncApiDocument({ ...common, ...basis, host: ANY_HOST }),
    ),
    readerFacts,
    UNNAMED,
  };
}

function connectionsOf({ config }: OperationContext) {
  return {
    data: config.connections(['data', 'event']),
    control: config.connections(['control', 'commandResponse']),
    management: config.connections(['management', 'commandResponse']),
    managementEvents: config.connections(['management', 'event']),
  };
}

async function sendFile(ctx: Context, type: string, path: string): Promise<void> {
  const { size, mtimeMs } = await stat(path);
  ctx.set({
    'content-security-policy': POLICY,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-cache',
  });
  ctx.type = `${type}; charset=utf-8`;
  ctx.etag = `${VERSION}-${size}-${Math.round(mtimeMs)}`;
  ctx.status = 200;
  if (ctx.fresh) {
    ctx.status = 304;
    return;
  }
  ctx.length = size;
  ctx.body = createReadStream(path);
}
