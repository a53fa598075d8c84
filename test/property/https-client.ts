/** Raw bodies over HTTPS, many of them over one connection. */
import { Agent, request } from 'node:https';

export interface RawAnswer {
  status: number;
  text: string;
}

export class HttpsClient {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1, rejectUnauthorized: false });

  constructor(
    private readonly url: string,
    private readonly token: string,
  ) {}

  send(method: string, path: string, body: Buffer): Promise<RawAnswer> {
    return new Promise((resolve, reject) => {
      const headers = {
        authorization: `Bearer ${this.token}`,
        'content-length': String(body.length),
      };
      const options = { method, headers, agent: this.#agent, path };
      const outgoing = request(this.url, options, (response) => {
        const parts: Buffer[] = [];
        response.on('data', (part) => parts.push(part));
        response.on('end', () => {
          resolve({ status: response.statusCode ?? 0, text: Buffer.concat(parts).toString() });
        });
        response.on('error', reject);
      });
      outgoing.on('error', reject);
      outgoing.end(body);
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}
