/** Requests as public clients of the interface send them. */
import type { Test } from 'tap';
import { type Answer, type Listener, send, type TestReader, until } from './reader.js';

/** What the clients put in front of a body: nothing, or one of these. */
export const JSON_TYPE = 'application/json';
export const TEXT_JSON = 'text/json';

export class PublicClient {
  readonly #reader: TestReader;
  readonly #headers: Record<string, string>;
  readonly #token: string;

  private constructor(reader: TestReader, headers: Record<string, string>, token: string) {
    this.#reader = reader;
    this.#headers = headers;
    this.#token = token;
  }

  /** @param headers Beside the token, with every request. */
  static async of(reader: TestReader, headers: Record<string, string> = {}): Promise<PublicClient> {
    const { json } = await reader.login();
    return new PublicClient(reader, headers, json.message);
  }

  /** @param path With its query string. @param body A text is sent as it is. */
  ask(method: string, path: string, body?: unknown): Promise<Answer> {
    return send(this.#reader.gateway.restUrl, method, path, {
      body,
      headers: { authorization: `Bearer ${this.#token}`, ...this.#headers },
    });
  }
}

/** Sends commands over MQTT, and takes their answers. */
export class MqttClient {
  #lastId = 0;

  constructor(private readonly listener: Listener) {}

  /** @param message Without command_id; flat, or with a payload. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers
  async ask(channel: 'c' | 'm', message: object): Promise<any> {
    const id = String(++this.#lastId);
    this.listener.client.publish(
      `singulate/${channel}-req`,
      JSON.stringify({ ...message, command_id: id }),
    );
    const answers = () =>
      this.listener.on(`singulate/${channel}-res`).filter(({ json }) => json.command_id === id);
    await until(`the answer to ${JSON.stringify(message)}`, () => answers().length > 0);
    return answers()[0]?.json;
  }
}

/** The only success that some clients know. */
export function isDone(t: Test, answer: Answer, what: string): void {
  t.equal(answer.status, 200, `${what}: ${answer.text.slice(0, 200)}`);
}
