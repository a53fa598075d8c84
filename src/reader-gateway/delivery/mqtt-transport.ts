/** mqtt endpoints: one PUBLISH per message and topic. */
import type { MqttClient } from 'mqtt';
import type { MqttOptions } from '../api/connection.js';
import { BrokerLink } from '../mqtt/broker-link.js';
import type { Certificates } from '../tls/certificates.js';
import type { Transport, TransportState } from './transport.js';

export class MqttTransport implements Transport {
  readonly window = 256;
  readonly #options: MqttOptions;
  readonly #link: BrokerLink;
  readonly #qos: 0 | 1 | 2;
  /** QoS 0 messages whose write is not confirmed: on a lost connection nobody would answer for them. */
  readonly #unconfirmed = new Set<(error: Error) => void>();
  #client: MqttClient | undefined;
  #onState: (state: TransportState) => void = () => {};

  constructor(options: MqttOptions, certificates: Certificates) {
    this.#options = options;
    this.#qos = options.additional?.qos ?? 0;
    this.#link = new BrokerLink(options, certificates, {
      onConnected: (client) => {
        this.#client = client;
        this.#onState({ ready: true, connected: true, error: '' });
      },
      onDisconnected: (error) => {
        this.#onState({ ready: false, connected: false, error });
        for (const reject of this.#unconfirmed) reject(new Error(error));
        this.#unconfirmed.clear();
      },
    });
  }

  open(onState: (state: TransportState) => void): void {
    this.#onState = onState;
    this.#link.open();
  }

  async send(message: string): Promise<void> {
    const topics = this.#options.publishTopic;
    const first = topics[0];
    if (first === undefined) return;
    if (topics.length === 1) return this.#publish(first, message);
    await Promise.all(topics.map((topic) => this.#publish(topic, message)));
  }

  close(): Promise<void> {
    return this.#link.close();
  }

  #publish(topic: string, message: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const client = this.#client;
      if (client === undefined) return reject(new Error('not connected'));
      if (this.#qos === 0) this.#unconfirmed.add(reject);
      const retain = this.#options.additional?.retain ?? false;
      client.publish(topic, message, { qos: this.#qos, retain }, (error) => {
        this.#unconfirmed.delete(reject);
        if (error) reject(error);
        else resolve();
      });
    });
  }
}
