/** The parts of an AsyncAPI document that grow with the connections. */

export const messageReference = (name: string) => ({ $ref: `#/components/messages/${name}` });

export interface Channel {
  address: string | null;
  title: string;
  description: string;
  servers?: { $ref: string }[];
  messages: Record<string, { $ref: string }>;
}

export class AsyncApiParts {
  readonly servers: Record<string, object> = {};
  readonly channels: Record<string, object> = {};
  readonly operations: Record<string, object> = {};
  readonly securitySchemes: Record<string, object> = {};
  /** Name of a server by its text: connections to one broker share it. */
  readonly #known = new Map<string, string>();

  /** @returns Reference to it. */
  server(prefix: string, server: object): { $ref: string } {
    const text = JSON.stringify(server);
    let name = this.#known.get(text);
    if (name === undefined) {
      const count = Object.keys(this.servers).filter((one) => one.startsWith(prefix)).length;
      name = count === 0 ? prefix : `${prefix}${count + 1}`;
      this.#known.set(text, name);
      this.servers[name] = server;
    }
    return { $ref: `#/servers/${name}` };
  }

  security(name: string, scheme: object): { $ref: string } {
    this.securitySchemes[name] = scheme;
    return { $ref: `#/components/securitySchemes/${name}` };
  }

  channel(name: string, channel: Channel): { $ref: string } {
    this.channels[name] = channel;
    return { $ref: `#/channels/${name}` };
  }

  /** References to messages as operations want them: those of a channel. */
  static messagesOf(channel: { $ref: string }, names: readonly string[]): { $ref: string }[] {
    return names.map((name) => ({ $ref: `${channel.$ref}/messages/${name}` }));
  }
}

/** `first`, `second2`, `second3`: names of several things of one kind. */
export function numbered(name: string, index: number): string {
  return index === 0 ? name : `${name}${index + 1}`;
}
