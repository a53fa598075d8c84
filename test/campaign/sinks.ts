/** Where the events go: brokers and a web server that write down what comes before they acknowledge it. */
import {
  createServer as createHttpServer,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import { createServer, type Server, type Socket } from 'node:net';
import { Aedes } from 'aedes';
import { freePort } from '../../bench/delivery/free-port.js';
import { Account } from './account.js';

/** The fault that is going on; '' between faults. */
export interface Stage {
  fault: string;
}

/** How a connection is broken. */
export type Cut = 'FIN' | 'RST';

const LISTEN_AGAIN_MS = 50;
const FIN_LASTS_MS = 500;

abstract class Sink {
  readonly account: Account;
  protected readonly lastOf = new Map<Socket, number>();
  #server: Server | undefined;

  protected constructor(
    name: string,
    readonly port: number,
    private readonly stage: Stage,
  ) {
    this.account = new Account(name);
  }

  protected abstract makeServer(): Server;

  /** It can be reached. */
  async open(): Promise<void> {
    const server = this.makeServer();
    this.#server = server;
    server.on('connection', (socket: Socket) => this.#accept(socket));
    await new Promise<void>((resolve) => {
      // Sockets of before may hold the port for a moment.
      server.on('error', () => setTimeout(() => this.#listen(server), LISTEN_AGAIN_MS));
      server.on('listening', resolve);
      this.#listen(server);
    });
  }

  #listen(server: Server): void {
    server.listen(this.port, '127.0.0.1');
  }

  #accept(socket: Socket): void {
    this.lastOf.set(socket, 0);
    socket.on('error', () => {});
    socket.once('close', () => {
      const last = this.lastOf.get(socket) ?? 0;
      this.lastOf.delete(socket);
      if (last > 0) this.account.ended.push({ last, during: this.stage.fault });
    });
  }

  cut(how: Cut): void {
    for (const socket of this.lastOf.keys()) {
      if (how === 'RST') socket.resetAndDestroy();
      else {
        socket.end();
        // Who does not end his side as well has no say any more.
        setTimeout(() => socket.destroy(), FIN_LASTS_MS).unref();
      }
    }
  }

  /** Nobody listens, and all connections are broken. */
  close(how: Cut = 'FIN'): void {
    this.#server?.close();
    this.#server = undefined;
    this.cut(how);
  }
}

export class MqttSink extends Sink {
  static async start(name: string, qos: 0 | 1, stage: Stage): Promise<MqttSink> {
    const sink: MqttSink = new MqttSink(
      name,
      qos,
      await freePort(),
      stage,
      await Aedes.createBroker({
        authorizePublish: (client, { payload }, done) => {
          const last = sink.account.take(payload.toString());
          const socket = client?.conn as Socket | undefined;
          if (last > 0 && socket !== undefined && sink.lastOf.has(socket))
            sink.lastOf.set(socket, last);
          done(null);
        },
      }),
    );
    await sink.open();
    return sink;
  }

  private constructor(
    name: string,
    readonly qos: 0 | 1,
    port: number,
    stage: Stage,
    private readonly broker: Aedes,
  ) {
    super(name, port, stage);
  }

  protected override makeServer(): Server {
    return createServer({ noDelay: true }, (socket) => this.broker.handle(socket));
  }
}

/** How a web server answers. */
export type Answering = 'ok' | '503' | 'hang' | 'drop';

export class HttpSink extends Sink {
  answering: Answering = 'ok';
  #posts = 0;

  static async start(name: string, stage: Stage): Promise<HttpSink> {
    const sink = new HttpSink(name, await freePort(), stage);
    await sink.open();
    return sink;
  }

  protected override makeServer(): Server {
    return createHttpServer((request, response) => {
      const parts: Buffer[] = [];
      request.on('error', () => {});
      request.on('data', (part) => parts.push(part));
      request.on('end', () => this.#answer(request, response, Buffer.concat(parts)));
    });
  }

  #answer({ socket }: IncomingMessage, response: ServerResponse, body: Buffer): void {
    if (this.answering === 'hang') return;
    if (this.answering === '503') {
      response.writeHead(503).end();
      return;
    }
    this.#posts++;
    // Of those that are dropped every other one was taken: it comes twice.
    if (this.answering === 'drop' && this.#posts % 2 === 0) {
      socket.destroy();
      return;
    }
    const last = this.account.take(body.toString());
    this.lastOf.set(socket, last);
    if (this.answering === 'drop') socket.destroy();
    else response.end();
  }
}

export interface Sinks {
  qos1: MqttSink;
  qos0: MqttSink;
  http: HttpSink;
}

export async function startSinks(stage: Stage): Promise<Sinks> {
  return {
    qos1: await MqttSink.start('MQTT QoS 1', 1, stage),
    qos0: await MqttSink.start('MQTT QoS 0', 0, stage),
    http: await HttpSink.start('HTTP', stage),
  };
}

export function all({ qos1, qos0, http }: Sinks): [MqttSink, MqttSink, HttpSink] {
  return [qos1, qos0, http];
}
