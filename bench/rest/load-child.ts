/** Loads a server, in a process of its own. Messages: a LoadTask begins, 'end' ends and is answered. */
import { HttpClient, requestBytes } from './http-client.js';
import type { LoadResult, LoadTask } from './load.js';

const TICK_MS = 5;
const counts = { answers: 0, refused: 0 };
let clients: HttpClient[] = [];
let stop = () => {};

async function begin(task: LoadTask): Promise<void> {
  const url = new URL(task.url);
  const requests = task.requests.map(({ method, path, body }) =>
    requestBytes(method, path, task.token, body),
  );
  let next = 0;
  const send = (client: HttpClient) => client.send(requests[next++ % requests.length] as Buffer);
  counts.answers = 0;
  counts.refused = 0;
  clients = await Promise.all(
    Array.from({ length: task.connections }, () => HttpClient.open(url, counts)),
  );
  if (task.perSecond === 0) {
    for (const client of clients) {
      client.onIdle = send;
      send(client);
    }
    stop = () => {
      for (const client of clients) client.onIdle = () => {};
    };
    return;
  }
  const started = performance.now();
  let sent = 0;
  const timer = setInterval(() => {
    const due = ((performance.now() - started) * task.perSecond) / 1000;
    for (const client of clients) {
      if (sent >= due) break;
      if (client.isBusy) continue;
      sent++;
      send(client);
    }
  }, TICK_MS);
  stop = () => clearInterval(timer);
}

let began = 0;
process.on('message', async (message: LoadTask | 'end') => {
  if (message !== 'end') {
    await begin(message);
    began = performance.now();
    process.send?.('begun');
    return;
  }
  stop();
  const result: LoadResult = { ...counts, seconds: (performance.now() - began) / 1000 };
  for (const client of clients) client.close();
  process.send?.(result);
});
process.on('disconnect', () => process.exit(0));
