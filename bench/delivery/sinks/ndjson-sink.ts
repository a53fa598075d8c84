/**
 * A client of GET /cloud/events. A stream that is slower than its events is cut off; the client
 * comes again, as the documentation says, and is told how many events are not kept any more.
 */
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { EventCounter } from '../event-counter.js';
import type { Sink } from './sink.js';

const LINE_END = '\n'.charCodeAt(0);

export async function openNdjsonSink(base: string, token: string): Promise<Sink> {
  const sink = new NdjsonSink(base, token);
  await sink.connect('');
  return sink;
}

class NdjsonSink implements Sink {
  counter = new EventCounter();
  lost = 0;
  readonly #base: string;
  readonly #token: string;
  #response: IncomingMessage | undefined;
  #closed = false;

  constructor(base: string, token: string) {
    this.#base = base;
    this.#token = token;
  }

  async connect(query: string): Promise<void> {
    const outgoing = request(new URL(`/cloud/events${query}`, this.#base), {
      rejectUnauthorized: false,
      headers: { authorization: `Bearer ${this.#token}` },
    });
    outgoing.end();
    const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
    if (response.statusCode !== 200) throw new Error(`GET /cloud/events: ${response.statusCode}`);
    outgoing.on('error', () => {});
    response.on('error', () => {});
    this.#response = response;
    let isFirst = true;
    response.on('data', (chunk: Buffer) => {
      if (isFirst) this.#lookForLoss(chunk);
      isFirst = false;
      this.counter.take(chunk);
    });
    response.on('close', () => {
      if (this.#closed) return;
      this.connect(`?after=${this.counter.highest}`).catch((error) => {
        process.stderr.write(`bench: ${error}\n`);
      });
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#response?.destroy();
  }

  /** The first line may report events that are gone; its number is the last of them. */
  #lookForLoss(chunk: Buffer): void {
    const line = chunk.toString('utf8', 0, chunk.indexOf(LINE_END));
    const found = /"lost":(\d+)}.*"type":"OVERFLOW"/.exec(line);
    // The line itself is counted as an event.
    if (found !== null) this.lost += Number(found[1]) - 1;
  }
}
