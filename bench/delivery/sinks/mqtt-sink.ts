/**
 * The receiving side of MQTT 3.1.1, as much of it as one publisher needs. A real broker costs more
 * than any sender on the same machine, and both sides of a ratio would measure the broker.
 */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { EventCounter } from '../event-counter.js';
import type { Sink } from './sink.js';

const CONNECT = 1;
const PUBLISH = 3;
const PUBREL = 6;
const PINGREQ = 12;
const CONNACK = Buffer.from([0x20, 2, 0, 0]);
const PINGRESP = Buffer.from([0xd0, 0]);
const PUBACK = 0x40;
const PUBREC = 0x50;
const PUBCOMP = 0x70;
const NOTHING = Buffer.alloc(0);

export interface MqttSink extends Sink {
  readonly port: number;
  /** A publisher is connected: some give up what they have before. */
  readonly connected: Promise<void>;
}

/** @param port 0 = any. */
export async function openMqttSink(port = 0): Promise<MqttSink> {
  const sockets = new Set<Socket>();
  let connect = () => {};
  const connected = new Promise<void>((resolve) => {
    connect = resolve;
  });
  // Without noDelay every acknowledged message would wait 40 ms for Nagle's algorithm.
  const server = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
    const session = new Session(socket, sink, connect);
    socket.on('data', (chunk) => session.take(chunk));
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const sink: MqttSink = {
    counter: new EventCounter(),
    port: (server.address() as AddressInfo).port,
    connected,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
  return sink;
}

class Session {
  readonly #socket: Socket;
  readonly #sink: Sink;
  readonly #onConnect: () => void;
  /** The beginning of a packet that was cut. */
  #cut: Buffer = NOTHING;
  /** Bytes of the present message that are still to come, and the answer to it. */
  #payloadLeft = 0;
  #answer: number[] = [];
  #answers: number[] = [];

  constructor(socket: Socket, sink: Sink, onConnect: () => void) {
    this.#socket = socket;
    this.#sink = sink;
    this.#onConnect = onConnect;
  }

  take(chunk: Buffer): void {
    let data = this.#cut.length === 0 ? chunk : Buffer.concat([this.#cut, chunk]);
    this.#cut = NOTHING;
    while (data.length > 0) {
      const used = this.#payloadLeft > 0 ? this.#payload(data) : this.#packet(data);
      if (used === 0) {
        this.#cut = data;
        break;
      }
      data = data.subarray(used);
    }
    if (this.#answers.length === 0) return;
    this.#socket.write(Buffer.from(this.#answers));
    this.#answers = [];
  }

  /** The payload goes to the counter piece by piece as it comes. */
  #payload(data: Buffer): number {
    const used = Math.min(this.#payloadLeft, data.length);
    this.#sink.counter.take(data.subarray(0, used));
    this.#payloadLeft -= used;
    if (this.#payloadLeft === 0) this.#answers.push(...this.#answer);
    return used;
  }

  /** @returns bytes that were used; 0 = there are too few. */
  #packet(data: Buffer): number {
    const head = data[0] as number;
    let at = 1;
    let length = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = data[at++];
      if (byte === undefined) return 0;
      length += (byte & 0x7f) << shift;
      if (byte < 0x80) break;
    }
    const type = head >> 4;
    if (type === PUBLISH) return this.#publish(data, at, length, (head >> 1) & 3);
    if (data.length < at + length) return 0;
    if (type === CONNECT) {
      this.#socket.write(CONNACK);
      this.#onConnect();
    }
    if (type === PINGREQ) this.#socket.write(PINGRESP);
    if (type === PUBREL) this.#answers.push(PUBCOMP, 2, data[at] as number, data[at + 1] as number);
    return at + length;
  }

  #publish(data: Buffer, start: number, length: number, qos: number): number {
    if (data.length < start + 2) return 0;
    let at = start + 2 + data.readUInt16BE(start);
    const end = at + (qos > 0 ? 2 : 0);
    if (data.length < end) return 0;
    this.#answer = [];
    if (qos > 0) {
      const type = qos === 1 ? PUBACK : PUBREC;
      this.#answer = [type, 2, data[at] as number, data[at + 1] as number];
      at = end;
    }
    this.#payloadLeft = length - (at - start);
    if (this.#payloadLeft === 0) this.#answers.push(...this.#answer);
    return at;
  }
}
