/**
 * The WebSocket of the reader, /ws. With an endpoint of type WEBSOCKET every client gets what that
 * endpoint sends, without a token: its clients never had one. Otherwise /ws is a stream of events.
 */
import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import type { WebSocket, WebSocketServer } from 'ws';
import type { Logger } from '../../shared/log.js';
import { errorAnswer, toErrorAnswer } from '../api/errors.js';
import type { Admission, Admitted } from '../auth/admission.js';
import { streamToken } from '../auth/request-token.js';
import { OtherUpgrades } from '../http/other-upgrade.js';
import { ambiguity, refuse } from '../http/request-guard.js';
import type { EventStreams } from './event-streams.js';
import { resumePoint } from './resume-point.js';
import { streamTo } from './websocket-stream.js';

export const WEBSOCKET_PATH = '/ws';

export interface DoorTimes {
  /** How often clients are asked whether they live. */
  pingMs: number;
  /** Time that clients have to take what waits when the reader stops. */
  stopMs: number;
}

const TIMES: DoorTimes = { pingMs: 30_000, stopMs: 500 };
/** Clients have nothing to say. */
const MAX_PAYLOAD = 4096;
/** RFC 6455, 7.4.1. */
const GOING_AWAY = 1001;

export class WebSocketDoor {
  /** Takes every client of /ws; undefined = /ws is a stream. */
  taker: ((socket: WebSocket) => void) | undefined;
  readonly #streams: EventStreams;
  readonly #admission: Admission;
  readonly #log: Logger;
  readonly #times: DoorTimes;
  /** All that the HTTP server does not know any more: from the upgrade until the end. */
  readonly #sockets = new Set<Duplex>();
  readonly #clients = new Set<WebSocket>();
  #handshakes: Promise<WebSocketServer> | undefined;
  #onEmpty: (() => void) | undefined;
  #stopped = false;

  constructor(
    streams: EventStreams,
    admission: Admission,
    log: Logger,
    times: Partial<DoorTimes> = {},
  ) {
    this.#streams = streams;
    this.#admission = admission;
    this.#log = log;
    this.#times = { ...TIMES, ...times };
  }

  /** Takes the upgrades of a server. */
  attach(server: Pick<Server, 'on' | 'emit'>): void {
    const others = new OtherUpgrades(server);
    server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      if (others.serve(request, socket, head)) return;
      this.#sockets.add(socket);
      // What breaks here is the client's connection, and nothing to report.
      socket.on('error', () => socket.destroy());
      socket.on('close', () => {
        this.#sockets.delete(socket);
        if (this.#sockets.size === 0) this.#onEmpty?.();
      });
      this.#upgrade(request, socket, head).catch((error) => {
        const answer = toErrorAnswer(error);
        // Never with the address: there may be a token in it.
        if (answer.status === 500) this.#log.error({ err: error }, 'a WebSocket client failed');
        refuse(socket, answer);
      });
    });
  }

  /** Tells every client that this is the end, and waits until they are gone. */
  async stop(): Promise<void> {
    this.#stopped = true;
    for (const client of this.#clients) client.close(GOING_AWAY, 'the reader is stopping');
    if (this.#sockets.size > 0) {
      await new Promise<void>((resolve) => {
        this.#onEmpty = resolve;
        setTimeout(resolve, this.#times.stopMs).unref();
      });
    }
    for (const socket of this.#sockets) socket.destroy();
  }

  async #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const refused = ambiguity(request);
    if (refused !== undefined) {
      refuse(socket, refused);
      return;
    }
    const [path, search] = (request.url ?? '').split('?', 2);
    if (path !== WEBSOCKET_PATH) {
      refuse(socket, errorAnswer('NOT_FOUND', `the WebSocket of the reader is ${WEBSOCKET_PATH}`));
      return;
    }
    // Loaded with the first client: it takes a while, and most readers have none.
    this.#handshakes ??= loadHandshakes();
    const handshakes = await this.#handshakes;
    const query = new URLSearchParams(search);
    let admitted: Admitted | undefined;
    if (this.taker === undefined) {
      const token = streamToken(request.headers.authorization, query);
      admitted = await this.#admission.of(request, token);
      if (admitted === undefined) {
        refuse(socket, errorAnswer('UNAUTHENTICATED', 'a valid token is required'));
        return;
      }
    }
    // Nothing below waits: the answers to these questions hold until the client is there.
    if (this.#stopped || socket.destroyed) {
      socket.destroy();
      return;
    }
    const { taker } = this;
    const after = taker === undefined ? resumePoint(query) : undefined;
    const refusal = taker === undefined ? this.#streams.refusal : undefined;
    if (refusal !== undefined) {
      refuse(socket, errorAnswer('TOO_MANY_STREAMS', refusal));
      return;
    }
    handshakes.handleUpgrade(request, socket, head, (client) => {
      this.#watch(client);
      if (taker !== undefined) taker(client);
      else {
        const tokens = admitted === 'by token' ? this.#admission.tokens : undefined;
        streamTo(client, this.#streams, after, tokens);
      }
    });
  }

  /** Ends connections whose client does not answer any more. */
  #watch(client: WebSocket): void {
    this.#clients.add(client);
    let isAlive = true;
    client.on('pong', () => {
      isAlive = true;
    });
    // Most of them: a message that is too long, which ends the connection as it should.
    client.on('error', () => {});
    const timer = setInterval(() => {
      if (!isAlive) {
        client.terminate();
        return;
      }
      isAlive = false;
      if (client.readyState === client.OPEN) client.ping();
    }, this.#times.pingMs).unref();
    client.on('close', () => {
      clearInterval(timer);
      this.#clients.delete(client);
    });
  }
}

async function loadHandshakes(): Promise<WebSocketServer> {
  const { WebSocketServer } = await import('ws');
  return new WebSocketServer({
    noServer: true,
    maxPayload: MAX_PAYLOAD,
    perMessageDeflate: false,
    clientTracking: false,
  });
}
