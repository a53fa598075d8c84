/** A client that takes what it gets slowly, but takes it, is not one that takes nothing. */
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { ElasticSocket, STANDING_MS } from '../../src/radio-control/grpc/elastic-socket.js';
import { shortFolder } from './grpc.js';

/** Far more than the kernel keeps, and than the client takes in the time that it may stand. */
const ALL_BYTES = 2_000_000;
const PART_BYTES = 10_000;
const BETWEEN_PARTS_MS = 100;

t.test('a client that takes a little at a time stays, and gets all', async (t) => {
  let cuts = 0;
  const sent = Buffer.alloc(ALL_BYTES, 'abcdefg');
  const path = join(shortFolder(t), 'slow.sock');
  const server = createServer((socket) => {
    const elastic = new ElasticSocket(socket, () => {
      cuts += 1;
    });
    elastic.on('error', () => {});
    elastic.end(sent);
  }).listen(path);
  t.teardown(() => server.close());
  await once(server, 'listening');
  const client = connect(path);
  t.teardown(() => client.destroy());
  let isOver = false;
  client.once('end', () => {
    isOver = true;
  });
  const received: Buffer[] = [];
  const take = (most: number) => {
    const part: Buffer | null = client.read(Math.min(most, client.readableLength) || undefined);
    if (part !== null) received.push(part);
  };
  await once(client, 'readable');
  const slowUntil = performance.now() + 2 * STANDING_MS;
  while (performance.now() < slowUntil) {
    take(PART_BYTES);
    await sleep(BETWEEN_PARTS_MS);
  }
  t.ok(Buffer.concat(received).length < ALL_BYTES, 'it is not through yet');
  t.equal(cuts, 0);
  while (!isOver && !client.destroyed) {
    take(ALL_BYTES);
    await sleep(1);
  }
  t.equal(Buffer.compare(Buffer.concat(received), sent), 0, 'nothing is missing, all in order');
  t.equal(cuts, 0);
});
