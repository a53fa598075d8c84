/** Events over a WebSocket: text frames of one or more JSON objects, each on its own line. */
import type { WebSocket } from 'ws';
import type { Tokens } from '../auth/tokens.js';
import type { EndCause, EventStreams, StreamSink } from './event-streams.js';
import { REVOKED } from './notices.js';
import type { EventRun } from './replay-buffer.js';

/** RFC 6455, 7.4.1, and "try again later" of the registry. */
const CLOSE_CODES: Readonly<Record<EndCause, number>> = {
  stop: 1001,
  revoked: 1008,
  'too slow': 1013,
};

/**
 * Makes the client a stream; only while the streams have no `refusal`.
 * @param tokens It came in by one, and leaves when all are revoked.
 */
export function streamTo(
  client: WebSocket,
  streams: EventStreams,
  after: number | undefined,
  tokens: Pick<Tokens, 'hold'> | undefined,
): void {
  const sink = new WebSocketSink(client);
  const stream = streams.open(sink, after);
  sink.onRoom = () => stream.pump();
  const release = tokens?.hold(() => stream.end('revoked', REVOKED));
  client.on('close', () => {
    release?.();
    stream.left();
  });
}

class WebSocketSink implements StreamSink {
  /** Something was sent: there may be room again. */
  onRoom = (): void => {};
  readonly #client: WebSocket;

  constructor(client: WebSocket) {
    this.#client = client;
  }

  get waiting(): number {
    return this.#client.bufferedAmount;
  }

  send({ bytes }: EventRun): void {
    // Without the line feed of the last event.
    this.#client.send(bytes.subarray(0, -1), { binary: false }, (error) => {
      if (!error) this.onRoom();
    });
  }

  notice(json: string): void {
    this.#client.send(json, () => {});
  }

  keepAlive(): void {
    // The door pings every client, whether it is a stream or not.
  }

  end(cause: EndCause, reason: string): void {
    this.#client.close(CLOSE_CODES[cause], reason);
  }

  destroy(): void {
    this.#client.terminate();
  }
}
