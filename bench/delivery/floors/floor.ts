/** A bare library that sends messages: as fast as it can without queueing without bound. */
import { once } from 'node:events';
import type { Writable } from 'node:stream';
import type { Form } from '../sample-events.js';

/** What a floor is told to do. */
export interface FloorTask {
  transport: FloorTransport;
  form: Form;
  /** Each message is joined of the ready texts of its events when it is sent. */
  joins?: boolean | undefined;
  /** Where to send, for those who push. */
  port?: number | undefined;
  /** Folder with cert.pem and key.pem, for those who serve with TLS. */
  tlsDir?: string | undefined;
}

export type FloorTransport =
  | 'mqtt_qos0'
  | 'mqtt_qos1'
  | 'mqtt_qos2'
  | 'http_post'
  | 'tcpip'
  | 'websocket'
  | 'ndjson';

export type MessageSource = (index: number) => string;

export interface Floor {
  /** Of those who serve. */
  port: number;
  /** Sends the messages 0, 1, 2, ... */
  send(message: MessageSource, messages: number): Promise<void>;
}

/** One after the other, at most so many at a time; `sendOne` calls back when it is done. */
export function inFlight(
  limit: number,
  messages: number,
  sendOne: (index: number, done: (error?: Error | null) => void) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let next = 0;
    let done = 0;
    let filling = false;
    const finished = (error?: Error | null) => {
      if (error) return reject(error);
      done++;
      if (done === messages) return resolve();
      // One that calls back at once must not fill the stack.
      if (!filling) fill();
    };
    const fill = () => {
      filling = true;
      while (next < messages && next - done < limit) sendOne(next++, finished);
      filling = false;
    };
    fill();
  });
}

/** Small messages that a stream gets together, as many as MQTT may have on the way. */
const WRITTEN_TOGETHER = 256;
const WRITTEN_TOGETHER_BYTES = 64 * 1024;

/** Writes until the buffer is full, then waits until it is empty again. */
export async function writeAll(
  stream: Writable,
  message: MessageSource,
  messages: number,
): Promise<void> {
  for (let i = 0; i < messages; ) {
    // Without it every small message would be a system call of its own.
    stream.cork();
    let hasRoom = true;
    let bytes = 0;
    for (let n = 0; i < messages && n < WRITTEN_TOGETHER && bytes < WRITTEN_TOGETHER_BYTES; n++) {
      const text = message(i++);
      bytes += text.length;
      hasRoom = stream.write(text);
    }
    stream.uncork();
    if (!hasRoom) await once(stream, 'drain');
  }
}
