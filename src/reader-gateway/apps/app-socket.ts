/** The socket of one application: commands and events to it, responses and events from it. */
import { chmod, chown, rm } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { StringDecoder } from 'node:string_decoder';
import { errorMessage, SingulateError } from '../../shared/errors.js';
import type { EventStreams } from '../streams/event-streams.js';
import { EventFeed } from './event-feed.js';
import { type AppMessage, parseMessage } from './messages.js';

export interface SocketHandlers {
  onEvent(data: unknown): void;
  /** Rejects with what the application is told. */
  onGpo(pin: number, state: 'HIGH' | 'LOW'): Promise<void>;
}

export interface SocketTimes {
  /** For the response to a command. */
  responseMs: number;
}

export const SOCKET_TIMES: SocketTimes = { responseMs: 10_000 };

/** sun_path of Linux holds 108 bytes, the last of them a zero. */
const MAX_PATH_BYTES = 107;
const MAX_LINE = 256 * 1024;
const MAX_COMMANDS = 16;
/** Bytes of commands and events that an application leaves lying before it is cut off. */
const MAX_WAITING = 4 * 1024 * 1024;
const MAX_EVENTS_PER_S = 1000;

/** How much an application and the reader have said to each other. */
export interface SocketFigures {
  /** Messages to the application and from it, since the service started. */
  received: number;
  sent: number;
  /** Room in the buffers of what it has not read, and of what it has not finished. */
  incomingPercentFree: number;
  outgoingPercentFree: number;
}

interface Pending {
  resolve(response: string): void;
  reject(error: Error): void;
  timer: NodeJS.Timeout;
}

export class AppSocket {
  readonly #path: string;
  readonly #name: string;
  readonly #streams: EventStreams;
  readonly #handlers: SocketHandlers;
  readonly #times: SocketTimes;
  readonly #pending = new Map<string, Pending>();
  #server: Server | undefined;
  #connection: Connection | undefined;
  #nextId = 1;
  /** Of connections that are gone. */
  #lostBefore = 0;
  readonly #before = { received: 0, sent: 0 };

  constructor(
    name: string,
    path: string,
    streams: EventStreams,
    handlers: SocketHandlers,
    times: SocketTimes,
  ) {
    this.#name = name;
    this.#path = path;
    this.#streams = streams;
    this.#handlers = handlers;
    this.#times = times;
  }

  get connected(): boolean {
    return this.#connection !== undefined;
  }

  get lost(): number {
    return this.#lostBefore + (this.#connection?.feed.lost ?? 0);
  }

  get figures(): SocketFigures {
    const { received, sent } = this.#before;
    const connection = this.#connection;
    if (connection === undefined) {
      return { received, sent, incomingPercentFree: 100, outgoingPercentFree: 100 };
    }
    return {
      received: received + connection.received,
      sent: sent + connection.sent,
      incomingPercentFree: percentFree(connection.waitingBytes, MAX_WAITING),
      outgoingPercentFree: percentFree(connection.unfinished, MAX_LINE),
    };
  }

  /** @param uid Of the user who may connect, if it is another one. @throws STATE */
  async open(uid: number | undefined): Promise<void> {
    if (this.#server !== undefined) return;
    const bytes = Buffer.byteLength(this.#path);
    if (bytes > MAX_PATH_BYTES) {
      const message = `the path of its socket has ${bytes} bytes, allowed: ${MAX_PATH_BYTES}`;
      throw new SingulateError('STATE', `${this.#name}: ${message}; use a shorter state folder`);
    }
    await rm(this.#path, { force: true });
    const server = createServer((socket) => this.#connected(socket));
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(this.#path, resolve);
    });
    // A client that is gone before it was taken is nobody's trouble.
    server.on('error', () => {});
    this.#server = server;
    await chmod(this.#path, 0o600);
    if (uid !== undefined) await chown(this.#path, uid, uid);
  }

  async close(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    const closed = new Promise<void>((resolve) => {
      if (server === undefined) resolve();
      else server.close(() => resolve());
    });
    this.#connection?.destroy();
    await closed;
    await rm(this.#path, { force: true });
  }

  /** @throws STATE if it is not there, UNAVAILABLE if it does not answer. */
  async send(command: string): Promise<string> {
    const connection = this.#connection;
    if (connection === undefined) {
      const message = `appname: ${this.#name} has not opened its socket, so it takes no commands`;
      throw new SingulateError('STATE', message);
    }
    if (this.#pending.size >= MAX_COMMANDS) {
      const message = `${this.#name} has ${MAX_COMMANDS} commands to answer; try again later`;
      throw new SingulateError('TOO_MANY', message);
    }
    const id = String(this.#nextId++);
    return new Promise<string>((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#pending.delete(id);
        const seconds = this.#times.responseMs / 1000;
        const message = `${this.#name} has not answered the command within ${seconds} s`;
        reject(new SingulateError('UNAVAILABLE', message));
      }, this.#times.responseMs);
      this.#pending.set(id, { resolve, reject, timer });
      connection.say({ type: 'COMMAND', id, command });
    });
  }

  /** A change of an input. */
  gpi(pin: number, state: 'HIGH' | 'LOW'): void {
    this.#connection?.say({ type: 'GPI', pin, state });
  }

  #connected(socket: Socket): void {
    // The newest is the one that lives: an application that was restarted, or connected again.
    this.#connection?.destroy();
    const connection = new Connection(socket, this.#streams, {
      onMessage: (message) => this.#take(message, connection),
      onClose: () => {
        this.#lostBefore += connection.feed.lost;
        this.#before.received += connection.received;
        this.#before.sent += connection.sent;
        if (this.#connection !== connection) return;
        this.#connection = undefined;
        this.#failAll(`${this.#name} closed its socket before it answered`);
      },
    });
    this.#failAll(`${this.#name} opened its socket again before it answered`);
    this.#connection = connection;
  }

  #take(message: AppMessage, connection: Connection): void {
    switch (message.type) {
      case 'SUBSCRIBE': {
        const refusal = connection.feed.subscribe();
        if (refusal !== undefined) connection.say({ type: 'ERROR', message: refusal });
        return;
      }
      case 'UNSUBSCRIBE':
        connection.feed.unsubscribe();
        return;
      case 'EVENT':
        if (connection.mayTell()) this.#handlers.onEvent(message.data);
        return;
      case 'GPO':
        this.#handlers.onGpo(message.pin, message.state).catch((error) => {
          connection.say({ type: 'ERROR', message: `GPO: ${errorMessage(error)}` });
        });
        return;
      case 'RESPONSE':
        this.#answered(message.id, message.response, connection);
    }
  }

  #answered(id: string, response: unknown, connection: Connection): void {
    const pending = this.#pending.get(id);
    if (pending === undefined) {
      const message = `id: no command ${JSON.stringify(id)} waits for a response`;
      connection.say({ type: 'ERROR', message });
      return;
    }
    this.#pending.delete(id);
    clearTimeout(pending.timer);
    pending.resolve(typeof response === 'string' ? response : JSON.stringify(response));
  }

  #failAll(message: string): void {
    for (const { reject, timer } of this.#pending.values()) {
      clearTimeout(timer);
      reject(new SingulateError('UNAVAILABLE', message));
    }
    this.#pending.clear();
  }
}

interface ConnectionHandlers {
  onMessage(message: AppMessage): void;
  onClose(): void;
}

class Connection {
  readonly feed: EventFeed;
  readonly #socket: Socket;
  readonly #handlers: ConnectionHandlers;
  readonly #decoder = new StringDecoder('utf8');
  #rest = '';
  #second = 0;
  #told = 0;
  #said = 0;
  /** Messages from the application. */
  sent = 0;

  constructor(socket: Socket, streams: EventStreams, handlers: ConnectionHandlers) {
    this.#socket = socket;
    this.#handlers = handlers;
    this.feed = new EventFeed(streams, socket);
    socket.on('data', (chunk) => this.#read(chunk));
    socket.on('error', () => {});
    socket.on('close', () => {
      this.feed.unsubscribe();
      handlers.onClose();
    });
  }

  say(message: object): void {
    if (this.#socket.destroyed) return;
    if (this.#socket.writableLength > MAX_WAITING) {
      this.#socket.destroy();
      return;
    }
    this.#said++;
    this.#socket.write(`${JSON.stringify(message)}\n`);
  }

  /** Messages to the application. */
  get received(): number {
    return this.#said + this.feed.sent;
  }

  get waitingBytes(): number {
    return this.#socket.writableLength;
  }

  /** Characters of a line that has no end yet. */
  get unfinished(): number {
    return this.#rest.length;
  }

  destroy(): void {
    this.#socket.destroy();
  }

  /** False for an event too many: one application must not fill the endpoints of all. */
  mayTell(): boolean {
    const second = Math.floor(performance.now() / 1000);
    if (second !== this.#second) {
      this.#second = second;
      this.#told = 0;
    }
    this.#told++;
    if (this.#told === MAX_EVENTS_PER_S + 1) {
      const message = `above ${MAX_EVENTS_PER_S} events in a second: those above are not sent`;
      this.say({ type: 'ERROR', message });
    }
    return this.#told <= MAX_EVENTS_PER_S;
  }

  #read(chunk: Buffer): void {
    const lines = (this.#rest + this.#decoder.write(chunk)).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) {
      if (line.trim() !== '') this.#line(line);
    }
    if (this.#rest.length > MAX_LINE) {
      this.say({ type: 'ERROR', message: `a line is above ${MAX_LINE} characters` });
      this.#socket.destroySoon();
    }
  }

  #line(line: string): void {
    this.sent++;
    try {
      this.#handlers.onMessage(parseMessage(line));
    } catch (error) {
      this.say({ type: 'ERROR', message: errorMessage(error) });
    }
  }
}

function percentFree(used: number, size: number): number {
  return Math.max(0, Math.round(100 * (1 - used / size)));
}
