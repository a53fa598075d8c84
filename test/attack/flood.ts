/** A client that asks as often as it is answered, on many connections. */
import { Agent, request } from 'node:https';

export class Flood {
  answers = 0;
  readonly statuses = new Set<number>();
  #goesOn = true;
  readonly #ended: Promise<unknown>;

  /** @param headers Of each request. */
  constructor(url: URL, connections: number, headers: Record<string, string> = {}) {
    const agents = Array.from({ length: connections }, () => {
      return new Agent({ keepAlive: true, maxSockets: 1, rejectUnauthorized: false });
    });
    this.#ended = Promise.all(
      agents.map(async (agent) => {
        while (this.#goesOn) await this.#ask(url, agent, headers);
        agent.destroy();
      }),
    );
  }

  async stop(): Promise<void> {
    this.#goesOn = false;
    await this.#ended;
  }

  #ask(url: URL, agent: Agent, headers: Record<string, string>): Promise<void> {
    return new Promise((resolve) => {
      const outgoing = request(url, { agent, headers }, (response) => {
        this.statuses.add(response.statusCode ?? 0);
        response.resume();
        response.on('end', () => {
          this.answers++;
        });
        response.on('close', resolve);
      });
      outgoing.on('error', () => resolve());
      outgoing.end();
    });
  }
}
