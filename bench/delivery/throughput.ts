/** Every transport, batched and not: the whole gateway over the bare library, in turns. */
import { join } from 'node:path';
import { errorMessage } from '../../src/shared/errors.js';
import { inTurns, type Sample } from '../measure.js';
import type { FloorTask } from './floors/floor.js';
import { FloorSide } from './floors/floor-side.js';
import { type Accounts, OurSide } from './our-side.js';
import { BenchReader } from './reader.js';
import { connectTo, type DeliveryTransport, TRANSPORTS } from './transports.js';

const ROUNDS = 3;

interface Shape {
  name: 'batched' | 'unbatched';
  /** Events of one run of ours: all of the recording. */
  events: number;
  /** A floor is faster and runs on. */
  floorEvents: number;
  batching: { reportingInterval: number; maxPayloadSizePerReport: number };
}

const SHAPES: readonly Shape[] = [
  {
    name: 'batched',
    events: 200_000,
    floorEvents: 1_000_000,
    // Messages of a flood are full long before the interval is over; it ends the wait of the last.
    batching: { reportingInterval: 20, maxPayloadSizePerReport: 256_000 },
  },
  {
    name: 'unbatched',
    events: 30_000,
    floorEvents: 60_000,
    batching: { reportingInterval: 0, maxPayloadSizePerReport: 0 },
  },
];

/** Nothing is dropped however slow the transport is: what floods in is retained until it is sent. */
export const KEEP_ALL = { throttle: 0, maxNumEvents: 10_000_000, maxEventRetentionTimeInMin: 0 };

export interface Comparison {
  transport: string;
  shape: Shape['name'];
  ours: Sample;
  floor: Sample;
}

export async function throughput(accounts: Accounts): Promise<Comparison[]> {
  const comparisons: Comparison[] = [];
  for (const shape of SHAPES) {
    const reader = await BenchReader.start({ reads: shape.events, spacingNs: 1000, paced: false });
    try {
      for (const transport of TRANSPORTS) {
        try {
          comparisons.push(await compare(transport, shape, reader, accounts));
        } catch (error) {
          console.error(`${transport.name}, ${shape.name}: ${errorMessage(error)}`);
        }
      }
    } finally {
      await reader.stop();
    }
  }
  return comparisons;
}

async function compare(
  transport: DeliveryTransport,
  shape: Shape,
  reader: BenchReader,
  accounts: Accounts,
): Promise<Comparison> {
  const { name } = transport;
  const closing: (() => unknown)[] = [];
  try {
    const sink = await transport.openSink?.();
    if (sink !== undefined) closing.push(() => sink.close());
    const task: FloorTask = {
      transport: name,
      maxBytes: shape.name === 'batched' ? shape.batching.maxPayloadSizePerReport : undefined,
      port: sink?.port,
      tlsDir: join(reader.stateDir, 'tls'),
    };
    const floor = await FloorSide.open(task);
    closing.push(() => floor.close());
    const base = `https://127.0.0.1:${floor.port}`;
    const floorSink = sink ?? (await connectTo(transport, { port: floor.port, base, token: '' }));
    closing.push(() => floorSink.close());
    const ours = await OurSide.open(reader, transport, `${name} ${shape.name}`, sink, {
      batching: shape.batching,
      retention: KEEP_ALL,
    });
    closing.push(() => ours.close());
    const samples = await inTurns(ROUNDS, {
      floor: () => floor.run(floorSink, shape.floorEvents),
      ours: () => ours.run(shape.events, accounts),
    });
    return { transport: name, shape: shape.name, ...samples };
  } finally {
    for (const close of closing.reverse()) await close();
  }
}
