/** Clients of the read stream, each on a connection of its own; some of them take nothing. */
import type { ClientReadableStream } from '@grpc/grpc-js';
import { RadioClient } from '../../src/contract/client.js';
import type { ReadBatch, TagRead } from '../../src/contract/messages.js';
import { counterToNumber, timeNsToMs } from '../../src/contract/time.js';

export interface WatchersReport {
  /** Reports that a client did not get, of all that take what they are given. */
  missing: number;
  /** From the read on the air to the client. */
  p99Ms: number;
}

const [target, watchers, stalled] = process.argv.slice(2) as [string, string, string];
const clients: RadioClient[] = [];
let missing = 0;
let delays: number[] = [];
let measuring = false;

function watch(client: RadioClient): void {
  let next = 0;
  const stream = client.streamReads({ clientName: 'bench' });
  stream.on('error', fail);
  stream.on('data', (batch: ReadBatch) => {
    const first = counterToNumber(batch.firstSequence);
    if (next !== 0) missing += first - next;
    next = first + batch.reads.length;
    if (measuring) delays.push(Date.now() - timeNsToMs((batch.reads[0] as TagRead).timeNs));
  });
}

function stall(client: RadioClient): ClientReadableStream<ReadBatch> {
  const stream = client.streamReads({ clientName: 'stalled' });
  stream.on('error', fail);
  // Before its first read a client of grpc-js takes everything, paused or not.
  return stream.once('data', () => stream.pause());
}

function fail(error: Error): void {
  process.stderr.write(`watchers: ${error.message}\n`);
  process.exit(1);
}

function percentile99(values: number[]): number {
  const sorted = values.sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length * 0.99)] ?? 0;
}

for (let i = 0; i < Number(watchers); i++) {
  const client = new RadioClient(target);
  clients.push(client);
  if (i < Number(stalled)) stall(client);
  else watch(client);
}

process.on('message', (what) => {
  if (what === 'begin') {
    measuring = true;
    delays = [];
    process.send?.('begun');
  } else {
    const report: WatchersReport = { missing, p99Ms: percentile99(delays) };
    process.send?.(report);
  }
});
process.on('disconnect', () => process.exit(0));
process.send?.('ready');
