/** GET /cloud/events: events as an answer that does not end. */
import type { ServerResponse } from 'node:http';
import type { Middleware } from 'koa';
import { errorAnswer } from '../api/errors.js';
import type { Tokens } from '../auth/tokens.js';
import type { EndCause, EventStreams, StreamSink } from './event-streams.js';
import { NDJSON } from './ndjson.js';
import { closedNotice, REVOKED } from './notices.js';
import type { EventRun } from './replay-buffer.js';
import { resumePoint } from './resume-point.js';
import { SSE } from './sse.js';

export interface HttpFormat {
  contentType: string;
  run(run: EventRun): Buffer;
  notice(json: string, eventNum: number): string;
  /** The last event: why the stream ends. */
  last(json: string): string;
  /** Tells the client, and everything between, that the stream lives. */
  keepAlive: string;
}

/** @param tokens Those who came in by one leave when all are revoked. */
export function eventsHandler(streams: EventStreams, tokens: Pick<Tokens, 'hold'>): Middleware {
  return async (ctx) => {
    const isSse = ctx.accepts(NDJSON.contentType, SSE.contentType) === SSE.contentType;
    const format = isSse ? SSE : NDJSON;
    const lastEventId = isSse ? ctx.get('last-event-id') : '';
    const after = resumePoint(new URLSearchParams(ctx.querystring), lastEventId);
    const { refusal } = streams;
    if (refusal !== undefined) {
      const { status, body } = errorAnswer('TOO_MANY_STREAMS', refusal);
      ctx.status = status;
      ctx.body = body;
      return;
    }
    const { res, req } = ctx;
    // Koa leaves the answer alone from here on.
    ctx.respond = false;
    // It went away while its token was checked: its end was reported already.
    if (req.socket.destroyed) return;
    res.writeHead(200, {
      'content-type': format.contentType,
      'cache-control': 'no-store',
      // Of proxies: they would collect events.
      'x-accel-buffering': 'no',
      connection: 'close',
    });
    if (ctx.method === 'HEAD') {
      res.end();
      return;
    }
    req.socket.setTimeout(0);
    req.socket.setNoDelay(true);
    res.flushHeaders();
    const stream = streams.open(new HttpSink(res, format), after);
    res.on('drain', () => stream.pump());
    // A client that goes away is nothing to report.
    res.on('error', () => {});
    const byToken = ctx.state.admitted === 'by token';
    const release = byToken ? tokens.hold(() => stream.end('revoked', REVOKED)) : () => {};
    res.on('close', () => {
      release();
      stream.left();
    });
  };
}

class HttpSink implements StreamSink {
  constructor(
    private readonly response: ServerResponse,
    private readonly format: HttpFormat,
  ) {}

  get waiting(): number {
    return this.response.writableLength;
  }

  send(run: EventRun): void {
    this.response.write(this.format.run(run));
  }

  notice(json: string, eventNum: number): void {
    this.response.write(this.format.notice(json, eventNum));
  }

  keepAlive(): void {
    this.response.write(this.format.keepAlive);
  }

  end(_cause: EndCause, reason: string): void {
    this.response.end(this.format.last(closedNotice(reason)));
  }

  destroy(): void {
    this.response.destroy();
  }
}
