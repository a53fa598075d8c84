/** The two doors of the reader, seen by a client that asks any operation. */
import type { Operation } from '../../src/reader-gateway/operations/operation.js';
import { Listener, send, type TestReader, until } from '../gateway/reader.js';
import type { Request } from './operation-case.js';

/** What a client sees of an answer. */
export interface Outcome {
  /** Of HTTP. Over MQTT 0. */
  status: number;
  failed: boolean;
  /** undefined: no content. */
  body: unknown;
  contentType: string;
}

export interface Door {
  readonly name: 'REST' | 'MQTT';
  ask(operation: Operation, request: Request): Promise<Outcome>;
  /** Bytes in the place of the whole body, or of the whole command. */
  askRaw(operation: Operation, bytes: string): Promise<Outcome>;
  /** As one who has no business here. @returns How that was refused. */
  askWithoutRight(operation: Operation, request: Request): Promise<string>;
}

/** Names of the fields that REST has in the path. */
export function pathFields(operation: Operation): string[] {
  return [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string);
}

export class RestDoor implements Door {
  readonly name = 'REST';

  private constructor(
    private readonly reader: TestReader,
    private token: string,
  ) {}

  static async open(reader: TestReader): Promise<RestDoor> {
    return new RestDoor(reader, (await reader.login()).json.message);
  }

  async logInAgain(): Promise<void> {
    const headers = { authorization: `Bearer ${this.token}` };
    const { status } = await send(this.#url, 'GET', '/cloud/version', { headers });
    if (status !== 401) throw new Error(`the token of before is answered with ${status}`);
    this.token = (await this.reader.login()).json.message;
  }

  /** Another one after each reboot. */
  get #url(): string {
    return this.reader.gateway.restUrl;
  }

  ask(operation: Operation, request: Request): Promise<Outcome> {
    const inPath = pathFields(operation);
    const body = Object.fromEntries(
      Object.entries(request).filter(([name]) => !inPath.includes(name)),
    );
    return this.#send(operation, pathOf(operation, request), JSON.stringify(body), this.token);
  }

  askRaw(operation: Operation, bytes: string): Promise<Outcome> {
    return this.#send(operation, pathOf(operation, {}), bytes, this.token);
  }

  async askWithoutRight(operation: Operation, request: Request): Promise<string> {
    const path = pathOf(operation, request);
    const [header = '', payload = ''] = this.token.split('.');
    const forged = `${header}.${payload}.${Buffer.alloc(32).toString('base64url')}`;
    const statuses = new Set<string>();
    for (const token of [undefined, 'nonsense', forged]) {
      const { status, body } = await this.#send(operation, path, '{}', token);
      statuses.add(`${status}/${(body as { code?: number }).code}`);
    }
    return [...statuses].join(' ');
  }

  async #send(
    { method }: Operation,
    path: string,
    body: string,
    token: string | undefined,
  ): Promise<Outcome> {
    const headers: Record<string, string> =
      token === undefined ? {} : { authorization: `Bearer ${token}` };
    const answer = await send(this.#url, method, path, { body, headers });
    const contentType = (answer.headers['content-type'] ?? '').split(';')[0] ?? '';
    const isJson = contentType === 'application/json';
    return {
      status: answer.status,
      failed: answer.status >= 400,
      body: answer.text === '' ? undefined : isJson ? JSON.parse(answer.text) : answer.text,
      contentType,
    };
  }
}

export function pathOf({ path }: Operation, request: Request): string {
  return path.replaceAll(/\{(\w+)\}/g, (_all, name) =>
    encodeURIComponent(`${request[name] ?? 'x'}`),
  );
}

export class MqttDoor implements Door {
  readonly name = 'MQTT';
  #lastId = 0;

  private constructor(
    private readonly reader: TestReader,
    private readonly listener: Listener,
    private readonly url: URL,
    private readonly refuseStrangers: (refuse: boolean) => void,
  ) {}

  static async open(
    reader: TestReader,
    url: URL,
    refuseStrangers: (refuse: boolean) => void,
  ): Promise<MqttDoor> {
    const listener = new Listener(url, '#');
    await until('the listener is there', () => listener.subscribed);
    return new MqttDoor(reader, listener, url, refuseStrangers);
  }

  close(): void {
    this.listener.client.end(true);
  }

  async ask(operation: Operation, request: Request): Promise<Outcome> {
    const id = `${++this.#lastId}`;
    const command = { command: operation.mqttCommand, command_id: id, payload: request };
    return this.#publish(operation, JSON.stringify(command), id);
  }

  askRaw(operation: Operation, bytes: string): Promise<Outcome> {
    return this.#publish(operation, bytes, '');
  }

  /** The broker asks for credentials, not the reader: what it refuses never comes to the reader. */
  async askWithoutRight(operation: Operation, request: Request): Promise<string> {
    this.refuseStrangers(true);
    const { default: mqtt } = await import('mqtt');
    const client = mqtt.connect(this.url.href, { clientId: 'stranger', reconnectPeriod: 0 });
    try {
      return await new Promise<string>((resolve) => {
        client.on('connect', () => resolve('connected'));
        client.on('error', () => resolve('broker'));
        const command = { command: operation.mqttCommand, command_id: 'x', payload: request };
        client.publish(topicOf(operation, 'req'), JSON.stringify(command));
      });
    } finally {
      client.end(true);
      this.refuseStrangers(false);
    }
  }

  /** Not at once after a reboot. */
  async #connected({ channel }: Operation): Promise<void> {
    const isConnected = () =>
      this.reader.endpoints.some((one) => one.interface === channel && one.state === 'connected');
    await until('the connection for commands', isConnected, 30_000);
  }

  async #publish(operation: Operation, text: string, id: string): Promise<Outcome> {
    await this.#connected(operation);
    const topic = topicOf(operation, 'res');
    const before = this.listener.messages.length;
    const find = () =>
      this.listener.messages
        .slice(before)
        .find(({ topic: from, json }) => from === topic && json.response && json.command_id === id);
    this.listener.client.publish(topicOf(operation, 'req'), text);
    await until(`the answer to ${text.slice(0, 80)}`, find, 30_000);
    const { response, payload } = find()?.json ?? {};
    // An operation without content answers with an empty payload.
    return { status: 0, failed: response !== 'success', body: payload, contentType: '' };
  }
}

function topicOf({ channel }: Operation, end: 'req' | 'res'): string {
  return `singulate/${channel === 'control' ? 'c' : 'm'}-${end}`;
}
