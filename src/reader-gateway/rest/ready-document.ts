/** Documents as they are sent: made once for each state of what they tell, and compressed once. */
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
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
/** A client that takes nothing keeps one of these waiting, not a whole document. */
const PIECE_BYTES = 32_768;

interface Ready {
  etag: string;
  /** What is between the places of the host's name. */
  parts: readonly Buffer[];
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
    const ready = this.#ready(basis);
    // A document that does not name the host is the same for all of them.
    const host = ready.parts.length > 1 ? ctx.host : '';
    const etag = host === '' ? ready.etag : `${ready.etag}-${hashOf(host)}`;
    ctx.set('cache-control', 'private, no-cache');
    ctx.vary('Authorization');
    ctx.vary('Accept-Encoding');
    ctx.type = 'application/json; charset=utf-8';
    ctx.status = 200;
    ctx.etag = etag;
    if (ctx.fresh) {
      ctx.status = 304;
      return;
    }
    const named = namedParts(ready.parts, host);
    const compressed = this.#compressedFor(ctx, { etag, host, named });
    if (compressed !== undefined) {
      ctx.set('content-encoding', 'gzip');
      ctx.body = await compressed;
      return;
    }
    ctx.body = Readable.from(pieces(named), { objectMode: false });
    ctx.length = named.reduce((sum, { length }) => sum + length, 0);
  }

  #ready(basis: Basis): Ready {
    const key = JSON.stringify(basis);
    const known = this.#states.get(key);
    this.#states.delete(key);
    const ready = known ?? readyOf(JSON.stringify(this.make(basis)));
    keep(this.#states, key, ready, MOST_STATES);
    return ready;
  }

  /** A stranger that calls the reader by ever new names has nothing compressed. */
  #compressedFor(
    ctx: Context,
    { etag, host, named }: { etag: string; host: string; named: readonly Buffer[] },
  ): Promise<Buffer> | undefined {
    if (ctx.acceptsEncodings('gzip', 'identity') !== 'gzip') return undefined;
    const known = this.#compressed.get(host);
    this.#compressed.delete(host);
    const again = known?.etag === etag;
    const content = again ? (known.content ?? compress(Buffer.concat(named))) : undefined;
    keep(this.#compressed, host, { etag, content }, MOST_HOSTS);
    return content;
  }
}

function keep<V>(all: Map<string, V>, key: string, value: V, most: number): void {
  all.set(key, value);
  const [oldest] = all.keys();
  if (all.size > most && oldest !== undefined) all.delete(oldest);
}

function readyOf(text: string): Ready {
  const parts = text.split(ANY_HOST).map((part) => Buffer.from(part));
  return { etag: hashOf(text), parts };
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 22);
}

/** As the client calls the reader. */
function namedParts(parts: readonly Buffer[], host: string): readonly Buffer[] {
  const name = Buffer.from(JSON.stringify(host).slice(1, -1));
  return parts.flatMap((part, index) => (index === 0 ? [part] : [name, part]));
}

function* pieces(parts: readonly Buffer[]): Generator<Buffer> {
  for (const part of parts) {
    for (let at = 0; at < part.length; at += PIECE_BYTES) {
      yield part.subarray(at, at + PIECE_BYTES);
    }
  }
}
