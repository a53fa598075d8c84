/** Clients of the event streams, and a reader with something to stream. */
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import type { Test } from 'tap';
import { WebSocket } from 'ws';
import { read } from './fake-radio.js';
import { TestReader, until } from './reader.js';

// biome-ignore lint/suspicious/noExplicitAny: tests look into events
export type Event = any;

/** A reader that reads, and a token for it. */
export async function streamingReader(t: Test): Promise<{ reader: TestReader; token: string }> {
  const reader = await TestReader.start(t);
  t.teardown(() => reader.gateway.stop());
  await reader.call('PUT', 'start');
  await until('the gateway listens to the radio', () => reader.radio.subscribers === 1);
  return { reader, token: (await reader.login()).json.message };
}

export const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

/** The id of the nth read that `readTags` makes. */
export const idOf = (number: number) => number.toString(16).padStart(24, '0');

/** Numbers from 1 on, as events have them, if all reads come this way. */
export function readTags(reader: TestReader, first: number, last: number): void {
  const reads = Array.from({ length: last - first + 1 }, (_, index) => read(idOf(first + index)));
  reader.radio.send(...reads);
}

/** Lets the reader make many events, as fast as somebody takes them. */
export async function readManyTags(
  reader: TestReader,
  first: number,
  last: number,
  taken: () => number,
): Promise<void> {
  for (let next = first; next <= last; next += 1000) {
    const end = Math.min(last, next + 999);
    readTags(reader, next, end);
    await until(`event ${end} is taken`, () => taken() >= end, 20_000);
  }
}

/** GET of something that does not end. */
export class HttpStream {
  text = '';
  hasEnded = false;
  isCut = false;

  private constructor(readonly response: IncomingMessage) {
    response.setEncoding('utf8');
    response.on('data', (part) => {
      this.text += part;
    });
    response.on('end', () => {
      this.hasEnded = true;
    });
    response.on('error', () => {
      this.isCut = true;
    });
  }

  static open(
    t: Test,
    reader: { gateway: { restUrl: string } },
    path: string,
    headers: Record<string, string> = {},
  ): Promise<HttpStream> {
    return new Promise((resolve, reject) => {
      const outgoing = request(
        new URL(path, reader.gateway.restUrl),
        { headers, rejectUnauthorized: false, agent: false },
        (response) => resolve(new HttpStream(response)),
      );
      t.teardown(() => outgoing.destroy());
      outgoing.on('error', reject);
      outgoing.end();
    });
  }

  /** NDJSON: what came so far. */
  get events(): Event[] {
    const lines = this.text.split('\n').slice(0, -1);
    return lines.filter((line) => line !== '').map((line) => JSON.parse(line));
  }

  get numbers(): number[] {
    return numbersOf(this.events);
  }
}

export const numbersOf = (events: Event[]): number[] => events.map(({ data }) => data.eventNum);

export interface ServerSentEvent {
  id?: string;
  event?: string;
  data: Event;
}

/** What came so far, as an EventSource understands it. */
export function serverSentEvents(text: string): ServerSentEvent[] {
  const blocks = text.split('\n\n').slice(0, -1);
  return blocks
    .map((block) => block.split('\n').filter((line) => !line.startsWith(':')))
    .filter((lines) => lines.length > 0)
    .map((lines) => {
      const fields = lines.map((line) => line.split(/: (.*)/s, 2));
      const { data, ...rest } = Object.fromEntries(fields);
      return { ...rest, data: JSON.parse(data) };
    });
}

/** A client of /ws. */
export class WebSocketClient {
  readonly messages: string[] = [];
  closed: { code: number; reason: string } | undefined;

  private constructor(readonly socket: WebSocket) {}

  /** @returns The status of the answer if there was no upgrade. */
  static open(
    t: Test,
    reader: TestReader,
    path: string,
    headers: Record<string, string> = {},
  ): Promise<WebSocketClient | { status: number; body: Event }> {
    return new Promise((resolve, reject) => {
      const url = new URL(path, reader.gateway.restUrl.replace('https', 'wss'));
      const socket = new WebSocket(url, { headers, rejectUnauthorized: false });
      t.teardown(() => socket.terminate());
      const client = new WebSocketClient(socket);
      socket.on('message', (data, isBinary) => {
        client.messages.push(isBinary ? 'binary' : data.toString());
      });
      socket.on('close', (code, reason) => {
        client.closed = { code, reason: reason.toString() };
      });
      socket.on('open', () => resolve(client));
      socket.on('error', reject);
      socket.on('unexpected-response', (_request, response) => {
        let text = '';
        response.on('data', (part) => {
          text += part;
        });
        response.on('end', () => {
          resolve({ status: response.statusCode ?? 0, body: JSON.parse(text) });
        });
      });
    });
  }

  get events(): Event[] {
    return this.messages.flatMap((message) => message.split('\n')).map((line) => JSON.parse(line));
  }

  get numbers(): number[] {
    return numbersOf(this.events);
  }
}

export async function openWebSocket(
  ...[t, reader, path, headers]: Parameters<typeof WebSocketClient.open>
): Promise<WebSocketClient> {
  const client = await WebSocketClient.open(t, reader, path, headers);
  if (client instanceof WebSocketClient) return client;
  throw new Error(`refused with ${client.status}`);
}
