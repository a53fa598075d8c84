/** Sends requests from a process of its own: what they cost the reader's is not mixed with the client. */
import { Agent, request } from 'node:https';
import type { Asked } from './asker.js';

const agent = new Agent({ keepAlive: true, maxSockets: 1, rejectUnauthorized: false });

process.on('message', async ({ times, ...one }: Asked) => {
  let status = 0;
  for (let i = 0; i < times; i++) status = await ask(one);
  process.send?.(status);
});
process.on('disconnect', () => process.exit(0));

/** @returns 0: there was no answer. */
function ask({ url, method, body, headers, endless }: Omit<Asked, 'times'>): Promise<number> {
  return new Promise((resolve) => {
    const length = body === undefined ? {} : { 'content-length': `${Buffer.byteLength(body)}` };
    const outgoing = request(url, { method, agent, headers: { ...length, ...headers } });
    outgoing.on('response', (response) => {
      response.resume();
      response.on('close', () => resolve(response.statusCode ?? 0));
      if (endless) response.destroy();
    });
    outgoing.on('error', () => resolve(0));
    outgoing.end(body);
  });
}
