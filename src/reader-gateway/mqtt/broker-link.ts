/** A connection to an MQTT broker that is made again for ever. */
import { readFile } from 'node:fs/promises';
import type { IClientOptions, MqttClient } from 'mqtt';
import { Backoff } from '../../shared/backoff.js';
import { errorMessage } from '../../shared/errors.js';
import type { MqttOptions } from '../api/connection.js';

export interface BrokerLinkHandlers {
  /** Connected, and everything of before that was still on its way is sent. */
  onConnected(client: MqttClient): void;
  onDisconnected(reason: string): void;
  onMessage?(topic: string, payload: Buffer): void;
}

const DEFAULT_PORTS = { mqtt: 1883, mqtts: 8883, ws: 80, wss: 443 } as const;
const DEFAULT_KEEP_ALIVE_S = 60;
const CONNECT_TIMEOUT_MS = 10_000;
const CLOSE_TIMEOUT_MS = 500;

export class BrokerLink {
  readonly #options: MqttOptions;
  readonly #handlers: BrokerLinkHandlers;
  readonly #backoff: Backoff;
  #client: MqttClient | undefined;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(options: MqttOptions, handlers: BrokerLinkHandlers) {
    this.#options = options;
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
    clearTimeout(this.#timer);
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
    const [{ default: mqtt }, options] = await Promise.all([
      import('mqtt'),
      clientOptions(this.#options),
    ]);
    if (this.#closed) return;
    const client = mqtt.connect(options);
    this.#client = client;
    let reason = '';
    client.on('error', (error) => {
      reason = errorMessage(error) || (error as NodeJS.ErrnoException).code || 'connection failed';
    });
    client.on('connect', () => {
      reason = '';
      this.#backoff.reset();
      this.#handlers.onConnected(client);
    });
    client.on('close', () => {
      this.#lost(reason || 'the broker closed the connection');
      reason = '';
    });
    client.on('message', (topic, payload) => this.#handlers.onMessage?.(topic, payload));
  }

  #lost(reason: string): void {
    if (this.#closed) return;
    this.#handlers.onDisconnected(reason);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      const client = this.#client;
      if (client === undefined) return this.open();
      // With its stores, so that QoS 1 and 2 messages on the way survive the outage.
      const { incomingStore, outgoingStore } = client;
      client.reconnect({ incomingStore, outgoingStore });
    }, this.#backoff.next());
  }
}

async function clientOptions(options: MqttOptions): Promise<IClientOptions> {
  const { endpoint, basicAuthentication: login, additional = {}, security = {} } = options;
  const protocol = protocolOf(options);
  const read = async (path: string | undefined) =>
    path === undefined || path === '' ? undefined : await readFile(path);
  const secure = protocol === 'mqtts' || protocol === 'wss';
  const ca = secure ? await read(security.CACertificateFileLocation) : undefined;
  const cert = secure ? await read(security.publicKeyFileLocation) : undefined;
  const key = secure ? await read(security.privateKeyFileLocation) : undefined;
  return {
    protocol,
    host: endpoint.hostName,
    port: endpoint.port ?? DEFAULT_PORTS[protocol],
    keepalive: additional.keepAlive ?? DEFAULT_KEEP_ALIVE_S,
    clean: additional.cleanSession ?? true,
    ...(additional.clientId ? { clientId: additional.clientId } : {}),
    ...(login ? { username: login.username, password: login.password } : {}),
    ...(ca ? { ca } : {}),
    ...(cert ? { cert } : {}),
    ...(key ? { key } : {}),
    ...(secure ? { rejectUnauthorized: security.verifyPeer ?? true } : {}),
    ...(secure && security.verifyHostName === false
      ? { checkServerIdentity: () => undefined }
      : {}),
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

// enableSecurity is never overruled by a protocol without it: nothing goes out in the clear by mistake.
function protocolOf({ endpoint, enableSecurity }: MqttOptions): keyof typeof DEFAULT_PORTS {
  switch (endpoint.protocol) {
    case 'ssl':
      return 'mqtts';
    case 'wss':
      return 'wss';
    case 'ws':
      return enableSecurity ? 'wss' : 'ws';
    default:
      return enableSecurity ? 'mqtts' : 'mqtt';
  }
}
