/**
 * The serving side of the gRPC measurements, in its own process. argv: KIND SOCKET READS SPACING_NS.
 * KIND "floor": a bare grpc-js stream of ready messages. KIND "fast" and "paced": radio-control's
 * own inventory and server over recorded reads.
 */
import { Metadata, Server, ServerCredentials, type ServerWritableStream } from '@grpc/grpc-js';
import type { ReadBatchInput } from '../../src/contract/messages.js';
import { ReadBatch } from '../../src/contract/messages.js';
import { TagAccess } from '../../src/radio-control/access/tag-access.js';
import { loadAddon } from '../../src/radio-control/addon/addon.js';
import { Control } from '../../src/radio-control/control/control.js';
import { EventLog } from '../../src/radio-control/events/event-log.js';
import {
  type RadioParts,
  radioHandlers,
  radioServiceDefinition,
} from '../../src/radio-control/grpc/handlers.js';
import { GrpcServer } from '../../src/radio-control/grpc/server.js';
import { Inventory } from '../../src/radio-control/inventory.js';
import { Lines } from '../../src/radio-control/lines/lines.js';
import { parseOptions } from '../../src/radio-control/options.js';
import { PacketFeed } from '../../src/radio-control/packet-log/packet-feed.js';
import { PacketLog } from '../../src/radio-control/packet-log/packet-log.js';
import { RECORD_BYTES } from '../../src/radio-control/record.js';
import { Regions } from '../../src/radio-control/regions.js';
import { encodeBatch, ReadsEncoder } from '../../src/radio-control/reports/encode-reads.js';
import { createLogger } from '../../src/shared/log.js';
import { PACKET_LOG_MEGABYTES, packetLogLimits } from '../../src/shared/log-files.js';
import { syntheticReads } from './synthetic-reads.js';

const [kind, socket, reads, spacing] = process.argv.slice(2) as [string, string, string, string];
const records = syntheticReads(Number(reads), Number(spacing));
const log = createLogger('bench', { level: 'warn', fd: 2 });

/** Batches as radio-control sends them, but as objects for grpc-js to encode. */
function readyBatches(): ReadBatchInput[] {
  const perBatch = 1024;
  const buffer = Buffer.from(records.buffer, records.byteOffset, records.byteLength);
  const encoder = new ReadsEncoder();
  const batches: ReadBatchInput[] = [];
  const total = Number(reads);
  for (let first = 0; first < total; first += perBatch) {
    for (let i = first; i < Math.min(total, first + perBatch); i++) {
      encoder.add(buffer, i * RECORD_BYTES, 1, -5000);
    }
    batches.push(
      ReadBatch.decode(
        encodeBatch({ firstSequence: first + 1, dropped: 0 }, [encoder.finish().bytes]),
      ),
    );
  }
  return batches;
}

async function serveFloor(): Promise<void> {
  const batches = readyBatches();
  const server = new Server();
  server.addService(radioServiceDefinition, {
    ...radioHandlers({} as RadioParts, () => ({ clients: 0, refused: {} })),
    // The stream waits for StartInventory, as the real one does.
    streamReads: (call: ServerWritableStream<unknown, ReadBatchInput>) => {
      call.sendMetadata(new Metadata());
      start = () => {
        let next = 0;
        const send = () => {
          while (next < batches.length) {
            if (!call.write(batches[next++] as ReadBatchInput)) return call.once('drain', send);
          }
          return undefined;
        };
        send();
      };
    },
    startInventory: (_call: unknown, done: (error: null, value: object) => void) => {
      done(null, {});
      start();
    },
    stopInventory: (_call: unknown, done: (error: null, value: object) => void) => done(null, {}),
  });
  let start = () => {};
  await new Promise<void>((resolve, reject) => {
    server.bindAsync(`unix:${socket}`, ServerCredentials.createInsecure(), (error) =>
      error ? reject(error) : resolve(),
    );
  });
}

async function servePipeline(paced: boolean): Promise<void> {
  const { Radio } = loadAddon();
  const radio = new Radio({ module: 'replay', paced, records });
  const inventory = new Inventory(radio, log, {});
  const regions = new Regions(inventory, undefined, undefined);
  const lines = new Lines({ inputs: 0, outputs: 0, loop: inventory });
  const packets = new PacketFeed(() => radio);
  const packetLog = new PacketLog(
    packets,
    () => radio.capabilities(),
    undefined,
    packetLogLimits(PACKET_LOG_MEGABYTES),
  );
  const tagAccess = new TagAccess(inventory, log);
  const control = new Control(() => {});
  const events = new EventLog();
  const logging = { log, packetLog };
  await GrpcServer.listen(
    { inventory, regions, lines, logging, control, events, packets, tagAccess },
    parseOptions(['--socket', socket]).grpc,
  );
}

if (kind === 'floor') await serveFloor();
else await servePipeline(kind === 'paced');

// The parent asks for the CPU time of this process around each measurement.
process.on('message', () => process.send?.(process.cpuUsage()));
process.on('disconnect', () => process.exit(0));
process.send?.('ready');
