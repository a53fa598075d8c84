/** Documents as they are sent: made once for each state of what they tell, and compressed once. */
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Context } from 'koa';

const compress = promisify(gzip);

/** States that are kept: that of who has a token, and that of all others, before and after a change. */
const MOST_STATES = 4;
/** Names by which clients call the reader, of which the compressed document is kept. */
const MOST_HOSTS = 4;
/** In place of the reader's own name, in a document that is made once for all of them. */
export const ANY_HOST = 'reader.any-host.invalid';

interface Ready {
  etag: string;
  text: string;
}

interface Compressed {
  etag: string;
  /** undefined: it was asked for once only. */
  content: Promise<Buffer> | undefined;
}

export class ReadyDocument<Basis> {
  /** By what they were made of; the one that was used last comes last. */
  readonly #states = new Map<string, Ready>();
  /** By the host. */
  readonly #compressed = new Map<string, Compressed>();

  /** @param make Costs tens of milliseconds. What it makes depends on its argument alone. */
  constructor(private readonly make: (basis: Basis) => object) {}

  /** @param basis All that the document is made of. */
  async answer(ctx: Context, basis: Basis): Promise<void> {
    const { etag, text } = this.#ready(basis);
    const tagOfHost = `${etag}-${hashOf(ctx.host)}`;
    ctx.set('cache-control', 'private, no-cache');
    ctx.vary('Authorization');
    ctx.vary('Accept-Encoding');
    ctx.type = 'application/json; charset=utf-8';
    ctx.status = 200;
    ctx.etag = tagOfHost;
    if (ctx.fresh) {
      ctx.status = 304;
      return;
    }
    const content = this.#compressedFor(ctx, tagOfHost, text);
    if (content === undefined) {
      ctx.body = named(text, ctx.host);
      return;
    }
    ctx.set('content-encoding', 'gzip');
    ctx.body = await content;
  }

  #ready(basis: Basis): Ready {
    const key = JSON.stringify(basis);
    const known = this.#states.get(key);
    this.#states.delete(key);
    const ready = known ?? withTag(JSON.stringify(this.make(basis)));
    keep(this.#states, key, ready, MOST_STATES);
    return ready;
  }

  /** A stranger that calls the reader by ever new names has nothing compressed. */
  #compressedFor(ctx: Context, etag: string, text: string): Promise<Buffer> | undefined {
    if (ctx.acceptsEncodings('gzip', 'identity') !== 'gzip') return undefined;
    const known = this.#compressed.get(ctx.host);
    this.#compressed.delete(ctx.host);
    const again = known?.etag === etag;
    const content = again ? (known.content ?? compress(named(text, ctx.host))) : undefined;
    keep(this.#compressed, ctx.host, { etag, content }, MOST_HOSTS);
    return content;
  }
}

function keep<V>(all: Map<string, V>, key: string, value: V, most: number): void {
  all.set(key, value);
  const [oldest] = all.keys();
  if (all.size > most && oldest !== undefined) all.delete(oldest);
}

function withTag(text: string): Ready {
  return { etag: hashOf(text), text };
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 22);
}

/** As the client calls the reader. */
function named(text: string, host: string): string {
  return text.replaceAll(ANY_HOST, JSON.stringify(host).slice(1, -1));
}
