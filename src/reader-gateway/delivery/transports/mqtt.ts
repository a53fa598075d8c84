/**
 * mqtt endpoints, those of the clouds too: one PUBLISH per message and topic. With QoS 0 and
 * without batching, the packets of events that wait together are written together.
 */
import type { MqttClient } from 'mqtt';
import type { Logger } from '../../../shared/log.js';
import type { MqttOptions } from '../../api/connection.js';
import { BrokerLink } from '../../mqtt/broker-link.js';
import { PublishFrames } from '../../mqtt/publish-frames.js';
import type { Certificates } from '../../tls/certificates.js';
import type { Framing, Transport, TransportHandlers } from '../transport.js';
import { TransportStates } from '../transport-states.js';

/** Messages on the way at a time, unless the broker wants fewer. */
const WINDOW = 256;
const WINDOW_BYTES = 4_000_000;

type Done = (error?: Error) => void;

export class MqttTransport implements Transport {
  readonly unbatched: 'event' | Framing;
  readonly isDoneWithMessages = true;
  readonly #topics: readonly string[];
  readonly #publishOptions: { qos: 0 | 1 | 2; retain: boolean };
  readonly #link: BrokerLink;
  /** By the callback that gets their outcome; of those with QoS 0 the write is not confirmed yet. */
  readonly #onTheWay = new Map<Done, number>();
  #bytes = 0;
  #window = WINDOW;
  #client: MqttClient | undefined;
  readonly #states = new TransportStates();

  constructor(options: MqttOptions, certificates: Certificates, log: Logger) {
    const { qos = 0, retain = false, debug = false } = options.additional ?? {};
    this.#topics = options.publishTopic;
    this.#publishOptions = { qos, retain };
    const is5 = options.additional?.mqttVersion === '5';
    // Packets that are written together are not seen one by one.
    const together = qos === 0 && !debug;
    this.unbatched = together ? new PublishFrames(this.#topics, retain, is5) : 'event';
    this.#link = new BrokerLink(options, certificates, log, {
      onConnected: (client, receiveMaximum) => this.#connected(client, receiveMaximum),
      onDisconnected: (error) => this.#disconnected(error),
    });
  }

  open(handlers: TransportHandlers): void {
    this.#states.open(handlers);
    // What goes nowhere must not count as sent.
    if (this.#topics.length === 0) this.#states.to('down', 'publishTopic names no topic');
    else this.#link.open();
  }

  /** A socket that broke takes nothing: its end is reported some turns of the event loop later. */
  hasRoom(): boolean {
    if (!this.#states.takes || this.#client?.stream.writable !== true) return false;
    const messages = this.#onTheWay.size;
    return messages === 0 || (messages < this.#window && this.#bytes < WINDOW_BYTES);
  }

  send(message: Buffer, done: Done, framed: boolean): void {
    const client = this.#client;
    if (client === undefined) {
      done(new Error('not connected'));
      return;
    }
    let open = framed ? 1 : this.#topics.length;
    let failure: Error | undefined;
    const finished = (error?: Error) => {
      failure ??= error;
      if (--open > 0 || !this.#onTheWay.delete(finished)) return;
      this.#bytes -= message.length;
      done(failure);
    };
    this.#onTheWay.set(finished, message.length);
    this.#bytes += message.length;
    if (framed) {
      client.stream.write(message, (error) => finished(error ?? undefined));
      return;
    }
    for (const topic of this.#topics) {
      client.publish(topic, message, this.#publishOptions, (error) => finished(error ?? undefined));
    }
  }

  close(): Promise<void> {
    this.#states.to('closing');
    return this.#link.close();
  }

  #connected(client: MqttClient, receiveMaximum: number): void {
    this.#client = client;
    // Each topic is a PUBLISH of its own.
    const messages = Math.floor(receiveMaximum / this.#topics.length);
    this.#window = Math.max(1, Math.min(WINDOW, messages));
    this.#states.to('up');
  }

  #disconnected(error: string): void {
    this.#states.to('down', error);
    if (this.#publishOptions.qos > 0) {
      // They are in the client's store: it sends them again after the outage, before all others.
      this.#states.handlers?.onRetry(this.#onTheWay.size);
      return;
    }
    // For these nobody would answer.
    for (const finished of [...this.#onTheWay.keys()]) {
      for (const _topic of this.#topics) finished(new Error(error));
    }
  }
}
