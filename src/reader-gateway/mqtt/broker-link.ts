/** A connection to an MQTT broker that is made again for ever. */
import { isIPv6, Socket } from 'node:net';
import type { IClientOptions, MqttClient } from 'mqtt';
import { Backoff } from '../../shared/backoff.js';
import { systemClock, type Timer } from '../../shared/clock.js';
import { errorMessage } from '../../shared/errors.js';
import type { Logger } from '../../shared/log.js';
import type { MqttOptions } from '../api/connection.js';
import type { Certificates } from '../tls/certificates.js';
import { type ClientTlsOptions, clientTlsOptions } from '../tls/client-tls.js';
import { brokerAddress } from './broker-address.js';
import { loadMqtt } from './load-mqtt.js';
import { logPackets } from './packet-log.js';

export interface BrokerLinkHandlers {
  /**
   * Connected, and everything of before that was still on its way is sent.
   * @param receiveMaximum Messages of the connection's QoS that may be on the way at a time.
   */
  onConnected(client: MqttClient, receiveMaximum: number): void;
  onDisconnected(reason: string): void;
  onMessage?(topic: string, payload: Buffer, age: MessageAge): void;
}

export interface MessageAge {
  /** The broker kept it: nobody knows when it was sent. */
  isKept: boolean;
  /** Seconds after which it is worth nothing any more (MQTT 5); undefined: who sent it did not say. */
  expiresInS: number | undefined;
}

const DEFAULT_KEEP_ALIVE_S = 60;
const CONNECT_TIMEOUT_MS = 10_000;
const CLOSE_TIMEOUT_MS = 500;
/** What MQTT allows if the broker does not say. */
const MOST_MESSAGES = 65_535;
/**
 * With MQTT 3.1.1 no broker can say what it takes of QoS 2. Mosquitto takes this many
 * (max_inflight_messages), and what is above is lost: its refusal looks like a PUBREC.
 */
const MOST_QOS2_MESSAGES = 20;
const SESSION_FOR_EVER = 0xffff_ffff;

type Statement = NonNullable<NonNullable<MqttOptions['additional']>['will']>;

export class BrokerLink {
  readonly #options: MqttOptions;
  readonly #certificates: Certificates;
  readonly #handlers: BrokerLinkHandlers;
  readonly #log: Logger;
  readonly #backoff: Backoff;
  #client: MqttClient | undefined;
  #timer: Timer | undefined;
  #closed = false;

  constructor(
    options: MqttOptions,
    certificates: Certificates,
    log: Logger,
    handlers: BrokerLinkHandlers,
  ) {
    this.#options = options;
    this.#certificates = certificates;
    this.#log = log;
    this.#handlers = handlers;
    const { reconnectDelay = 1, reconnectDelayMax = 30 } = options.additional ?? {};
    const firstMs = Math.max(100, reconnectDelay * 1000);
    this.#backoff = new Backoff({
      firstMs,
      maxMs: Math.max(firstMs, (reconnectDelayMax || 30) * 1000),
    });
  }

  open(): void {
    this.#connect().catch((error) => this.#lost(errorMessage(error)));
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#timer?.cancel();
    const client = this.#client;
    if (client === undefined) return;
    await new Promise<void>((resolve) => {
      // A broker that owes an acknowledgement does not hold up the end.
      const timer = setTimeout(() => client.end(true, {}, () => resolve()), CLOSE_TIMEOUT_MS);
      // Without a connection there is nobody to say goodbye to.
      client.end(!client.connected, {}, () => {
        clearTimeout(timer);
        resolve();
      });
    });
  }

  async #connect(): Promise<void> {
    const [mqtt, options] = await Promise.all([
      loadMqtt(),
      clientOptions(this.#options, this.#certificates),
    ]);
    if (this.#closed) return;
    const client = mqtt.connect(options);
    this.#client = client;
    sendAtOnce(client);
    if (this.#options.additional?.debug) {
      logPackets(client, `${options.host ?? options.hostname}:${options.port}`, this.#log);
    }
    let reason = '';
    client.on('error', (error) => {
      reason = errorMessage(error) || (error as NodeJS.ErrnoException).code || 'connection failed';
    });
    client.on('connect', ({ properties }) => {
      reason = '';
      this.#backoff.reset();
      this.#tellBirth(client);
      this.#handlers.onConnected(client, this.#receiveMaximum(properties?.receiveMaximum));
    });
    client.on('close', () => {
      this.#lost(reason || 'the broker closed the connection');
      reason = '';
    });
    client.on('message', (topic, payload, { retain, properties }) => {
      const age = { isKept: retain, expiresInS: properties?.messageExpiryInterval };
      this.#handlers.onMessage?.(topic, payload, age);
    });
  }

  #receiveMaximum(told: number | undefined): number {
    const { qos = 0, birth } = this.#options.additional ?? {};
    if (qos === 0) return MOST_MESSAGES;
    const most = told ?? (qos === 2 ? MOST_QOS2_MESSAGES : MOST_MESSAGES);
    // The birth may be on its way beside them.
    return Math.max(1, birth?.qos ? most - 1 : most);
  }

  /** Before every new message of this connection. */
  #tellBirth(client: MqttClient): void {
    const { birth } = this.#options.additional ?? {};
    if (birth === undefined) return;
    const { topic, payload, qos, retain } = statement(birth);
    client.publish(topic, payload, { qos, retain });
  }

  #lost(reason: string): void {
    if (this.#closed) return;
    this.#handlers.onDisconnected(reason);
    this.#timer?.cancel();
    this.#timer = systemClock.setTimeout(() => {
      const client = this.#client;
      if (client === undefined) return this.open();
      // With its stores, so that QoS 1 and 2 messages on the way survive the outage.
      const { incomingStore, outgoingStore } = client;
      client.reconnect({ incomingStore, outgoingStore });
      sendAtOnce(client);
    }, this.#backoff.next());
  }
}

/**
 * A small packet would wait for the acknowledgement of the one before, 40 ms each: also of those that
 * the client sends once more, one by one, before it tells that it is connected.
 */
function sendAtOnce({ stream }: MqttClient): void {
  if (stream instanceof Socket) stream.once('connect', () => stream.setNoDelay(true));
}

/** @throws if the broker is not named, or a file of the security settings is missing. */
export async function clientOptions(
  options: MqttOptions,
  certificates: Certificates,
): Promise<IClientOptions> {
  const { additional = {} } = options;
  const address = brokerAddress(options);
  if (address === undefined) throw new Error('no broker is named');
  const { protocol, host, port, path, secure } = address;
  const login =
    options.basicAuthentication ??
    address.login ??
    (await certificates.localBroker?.login(host, port));
  const is5 = additional.mqttVersion === '5';
  const clean = additional.cleanSession ?? true;
  const tls = secure ? await brokerTls(options, certificates) : {};
  return {
    protocol,
    host,
    port,
    ...(path === '' ? {} : { path }),
    protocolVersion: is5 ? 5 : 4,
    keepalive: additional.keepAlive ?? DEFAULT_KEEP_ALIVE_S,
    clean,
    // In MQTT 5 a session ends with its connection unless it is told how long to live.
    ...(is5 && !clean ? { properties: { sessionExpiryInterval: SESSION_FOR_EVER } } : {}),
    ...(additional.clientId ? { clientId: additional.clientId } : {}),
    ...(login ? { username: login.username, password: login.password } : {}),
    ...(additional.will ? { will: statement(additional.will) } : {}),
    ...tls,
    ...(protocol === 'ws' || protocol === 'wss' ? webSocketOptions(host, tls) : {}),
    connectTimeout: CONNECT_TIMEOUT_MS,
    // Waiting and trying again is ours: with backoff and jitter.
    reconnectPeriod: 0,
    // A refused login closes the connection even if the broker forgets to.
    reconnectOnConnackError: true,
    // Retention is ours: the client must not queue what it cannot send.
    queueQoSZero: false,
    resubscribe: false,
  };
}

/** @throws if a file of the security settings is missing. */
export function brokerTls(
  { security = {} }: MqttOptions,
  certificates: Certificates,
): Promise<ClientTlsOptions> {
  const { verifyPeer, verifyHostName: verifyHost } = security;
  return clientTlsOptions({ certificates: security, verifyPeer, verifyHost }, certificates);
}

/** mqtt.js puts the host into a URL as it is, and hands on to ws only some of the TLS options. */
function webSocketOptions(host: string, tls: Partial<ClientTlsOptions>): IClientOptions {
  // ws hands them to node's TLS, whatever its types say of checkServerIdentity.
  const wsOptions = { ...tls } as NonNullable<IClientOptions['wsOptions']>;
  return { hostname: isIPv6(host) ? `[${host}]` : host, wsOptions };
}

function statement({ topic, payload = '', qos = 0, retain = false }: Statement) {
  return { topic, payload: Buffer.from(payload), qos, retain };
}
