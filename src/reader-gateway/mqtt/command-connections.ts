/** The connections that commands come in by, kept in step with the configuration. */
import type { MqttClient } from 'mqtt';
import type { Logger } from '../../shared/log.js';
import type { MqttConnection, MqttOptions } from '../api/connection.js';
import { type EndpointStatus, errorText } from '../endpoint-status.js';
import { certificateVersion } from '../state/installed-certificates.js';
import type { Certificates } from '../tls/certificates.js';
import { Allowance } from './allowance.js';
import { brokerKey } from './broker-address.js';
import { BrokerLink, type MessageAge } from './broker-link.js';
import type { Commands } from './commands.js';
import { IgnoredLog } from './ignored-log.js';

export type CommandInterface = 'control' | 'management';

export interface CommandConnectionConfig {
  interface: CommandInterface;
  name: string;
  connection: MqttConnection;
  /** What is wrong with how it is set, for its status; empty otherwise. */
  fault?: string;
}

/** Commands that may wait on one connection; more are refused. */
const MAX_WAITING = 64;
/** Refusals that may be on their way; what is more gets no answer, and is counted. */
const MAX_REFUSING = 10_000;
const FAILURES_PER_MINUTE = 20;

/** One connection to a broker. Configurations with equal options share one. */
class CommandConnection {
  readonly #options: MqttOptions;
  readonly #topics: readonly string[];
  readonly #commands: Commands;
  readonly #log: Logger;
  readonly #onChange: () => void;
  readonly #link: BrokerLink;
  readonly #ignored: IgnoredLog;
  /** To what is no command. Without a limit, two programs could answer each other for ever. */
  readonly #failures = new Allowance(FAILURES_PER_MINUTE);
  #waiting = 0;
  #refusing = 0;
  /** What ends the wait of answers that are on their way: a late one serves nobody. */
  readonly #unsent = new Set<() => void>();
  #queue: Promise<unknown> = Promise.resolve();
  connected = false;
  error = '';
  sent = 0;
  dropped = 0;

  /** @param topics Those of the subscribe topics that no other connection listens to. */
  constructor(
    options: MqttOptions,
    topics: readonly string[],
    commands: Commands,
    certificates: Certificates,
    log: Logger,
    onChange: () => void,
  ) {
    this.#options = options;
    this.#topics = topics;
    this.#commands = commands;
    this.#log = log;
    this.#onChange = onChange;
    this.#ignored = new IgnoredLog(log);
    this.#link = new BrokerLink(options, certificates, log, {
      onConnected: (client) => this.#subscribe(client),
      onDisconnected: (reason) => {
        for (const lost of this.#unsent) lost();
        this.#unsent.clear();
        this.#state(false, reason);
      },
      onMessage: (_topic, payload, age) => this.#receive(payload, age),
    });
  }

  #client: MqttClient | undefined;

  open(): void {
    this.#link.open();
  }

  /** Ends after the commands that came in are answered. */
  async close(): Promise<void> {
    await this.#queue;
    this.#ignored.close();
    await this.#link.close();
  }

  #subscribe(client: MqttClient): void {
    this.#client = client;
    if (this.#topics.length === 0) {
      this.#state(true, '');
      return;
    }
    const qos = this.#options.additional?.qos ?? 0;
    // MQTT 5 does not even send what it kept (section 3.8.3.1: Retain Handling 2).
    client.subscribe([...this.#topics], { qos, rh: 2 }, (error) => {
      if (error) this.#state(false, `subscribing failed: ${error.message}`);
      else this.#state(true, '');
    });
  }

  #state(connected: boolean, error: string): void {
    if (this.connected === connected && this.error === error) return;
    this.connected = connected;
    this.error = error;
    this.#onChange();
  }

  // In the order they came: a start after a set_mode starts with that mode.
  #receive(payload: Buffer, { isKept, expiresInS }: MessageAge): void {
    if (isKept) {
      // A reboot that came with every connect would be one for ever.
      this.#ignored.add('a command that the broker had kept (retain) is not carried out');
      return;
    }
    if (this.#waiting >= MAX_WAITING) {
      this.#refuse(payload, 'TOO_MANY', 'too many commands are waiting');
      return;
    }
    this.#waiting++;
    const came = performance.now();
    this.#queue = this.#queue.then(async () => {
      if (expiresInS !== undefined && performance.now() - came > expiresInS * 1000) {
        this.#waiting--;
        const why = `commands waited longer than their message expiry interval (${expiresInS} s)`;
        this.#refuse(payload, 'STATE', why);
        return;
      }
      const answer = await this.#commands.run(payload);
      this.#waiting--;
      if (answer === undefined) {
        this.#ignored.add('an answer or an event of a reader came as a command: it gets no answer');
        return;
      }
      if (!answer.isCommand && !this.#failures.take(Date.now())) {
        this.#ignored.add('too much comes that is no command: it gets no answer');
        return;
      }
      await this.#publish(answer.message);
      // Not within this queue: it may wait for the end of this very connection.
      if (answer.afterAnswer !== undefined) setImmediate(answer.afterAnswer);
    });
  }

  /** At once, so that it costs nothing but this: who sends so many knows which ones are not done. */
  #refuse(payload: Buffer, kind: 'TOO_MANY' | 'STATE', why: string): void {
    const answer =
      this.#refusing < MAX_REFUSING ? this.#commands.refuse(payload, kind, why) : undefined;
    if (answer === undefined) {
      this.dropped++;
      this.#ignored.add(`commands were dropped: ${why}`);
      return;
    }
    this.#refusing++;
    void this.#publish(answer).finally(() => {
      this.#refusing--;
    });
  }

  async #publish(message: string): Promise<void> {
    const client = this.#client;
    const { publishTopic, additional = {} } = this.#options;
    const { qos = 0, retain = false } = additional;
    try {
      if (publishTopic.length === 0) throw new Error('the connection has no publishTopic');
      if (!client?.connected) throw new Error('the broker is gone');
      const options = { qos, retain };
      await Promise.all(publishTopic.map((topic) => this.#send(client, topic, message, options)));
      this.sent++;
    } catch (error) {
      this.dropped++;
      this.#log.warn({ err: error }, 'a response could not be sent');
    }
  }

  /** Gives up when the connection is lost. */
  #send(
    client: MqttClient,
    topic: string,
    message: string,
    options: { qos: 0 | 1 | 2; retain: boolean },
  ): Promise<void> {
    return new Promise((resolve, reject) => {
      const lost = () => reject(new Error('the broker is gone'));
      this.#unsent.add(lost);
      client.publish(topic, message, options, (error) => {
        this.#unsent.delete(lost);
        if (error) reject(error);
        else resolve();
      });
    });
  }
}

interface Entry {
  fingerprint: string;
  connection: CommandConnection;
  members: CommandConnectionConfig[];
}

export class CommandConnections {
  readonly #commands: Commands;
  readonly #certificates: Certificates;
  readonly #log: Logger;
  readonly #onChange: () => void;
  #entries: Entry[] = [];
  #closing = new Set<Promise<unknown>>();

  constructor(commands: Commands, certificates: Certificates, log: Logger, onChange: () => void) {
    this.#commands = commands;
    this.#certificates = certificates;
    this.#log = log;
    this.#onChange = onChange;
  }

  /** Opens and closes what differs; all other connections are not touched. */
  apply(configs: readonly CommandConnectionConfig[]): void {
    const next: Entry[] = [];
    const claimed = new Set<string>();
    const opened: CommandConnection[] = [];
    for (const config of configs) {
      const { options } = config.connection;
      const version = certificateVersion(config.connection, this.#certificates);
      const text = JSON.stringify(options) + version;
      const shared = next.find((entry) => entry.fingerprint.startsWith(text));
      if (shared !== undefined) {
        shared.members.push(config);
        continue;
      }
      const topics = unclaimed(options, claimed);
      const fingerprint = text + JSON.stringify(topics);
      const kept = this.#entries.find((entry) => entry.fingerprint === fingerprint);
      if (kept !== undefined) {
        next.push({ ...kept, members: [config] });
        continue;
      }
      const connection = new CommandConnection(
        options,
        topics,
        this.#commands,
        this.#certificates,
        this.#log,
        this.#onChange,
      );
      opened.push(connection);
      next.push({ fingerprint, connection, members: [config] });
    }
    const gone = this.#entries.filter(
      (old) => !next.some((entry) => entry.connection === old.connection),
    );
    this.#entries = next;
    // The old ones end first: a new one may come with the same client identity.
    const closed = Promise.all(gone.map(({ connection }) => connection.close()))
      .catch((error) => this.#log.error({ err: error }, 'closing a command connection failed'))
      .then(() => {
        for (const connection of opened) {
          if (this.#entries.some((entry) => entry.connection === connection)) connection.open();
        }
      });
    this.#closing.add(closed);
    void closed.finally(() => this.#closing.delete(closed));
    this.#onChange();
  }

  status(): EndpointStatus[] {
    return this.#entries.flatMap(({ connection, members }) =>
      members.map(({ interface: kind, name, connection: config, fault = '' }) => ({
        interface: kind,
        name,
        description: config.description ?? name,
        type: config.type,
        state: connection.connected ? ('connected' as const) : ('disconnected' as const),
        error: errorText(connection.error, fault),
        sent: connection.sent,
        retained: 0,
        dropped: connection.dropped,
        retried: 0,
      })),
    );
  }

  async stop(): Promise<void> {
    const entries = this.#entries;
    this.#entries = [];
    await Promise.all(this.#closing);
    await Promise.all(entries.map(({ connection }) => connection.close()));
  }
}

/** Each topic of a broker has one listener: a command is run and answered once. */
function unclaimed(options: MqttOptions, claimed: Set<string>): string[] {
  const broker = brokerKey(options);
  return (options.subscribeTopic ?? []).filter((topic) => {
    const key = `${broker} ${topic}`;
    if (claimed.has(key)) return false;
    claimed.add(key);
    return true;
  });
}
