/** Every transport, batched and not: endpoints and whole gateway over the bare library, in turns. */
import { join } from 'node:path';
import { inTurns, type Sample } from '../measure.js';
import type { Accounts } from './accounts.js';
import { FloorSide } from './floors/floor-side.js';
import { OurSide } from './our-side.js';
import { BenchReader } from './reader.js';
import { connectTo, type DeliveryTransport, TRANSPORTS } from './transports.js';

const ROUNDS = 3;
/** Of a batch: the default of the interface. */
const MAX_BYTES = 256_000;

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
    floorEvents: 1_600_000,
    // Messages of a flood are full long before the interval is over; it ends the wait of the last.
    batching: { reportingInterval: 20, maxPayloadSizePerReport: MAX_BYTES },
  },
  {
    name: 'unbatched',
    events: 30_000,
    floorEvents: 40_000,
    batching: { reportingInterval: 0, maxPayloadSizePerReport: 0 },
  },
];

/** Nothing is dropped however slow the transport is: what floods in is retained until it is sent. */
export const KEEP_ALL = { throttle: 0, maxNumEvents: 10_000_000, maxEventRetentionTimeInMin: 0 };

export interface Comparison {
  transport: string;
  shape: Shape['name'];
  /** Endpoints and streams of the gateway, with events that are ready. */
  ours: Sample;
  /** The whole gateway: it takes reads from the radio service, and makes events of them. */
  gateway: Sample;
  /** The bare library, with messages joined of the ready texts of events. */
  floor: Sample;
  /** The bare library with whole messages that are ready: nothing at all for each event. */
  readyFloor: Sample;
}

export async function throughput(accounts: Accounts): Promise<Comparison[]> {
  const comparisons: Comparison[] = [];
  for (const shape of SHAPES) {
    const readers = {
      gateway: await BenchReader.start({ reads: shape.events, spacingNs: 1000, paced: false }),
      ours: await BenchReader.startReady(shape.floorEvents),
    };
    try {
      for (const transport of TRANSPORTS) {
        comparisons.push(await compare(transport, shape, readers, accounts));
      }
    } finally {
      await Promise.all([readers.gateway.stop(), readers.ours.stop()]);
    }
  }
  return comparisons;
}

async function compare(
  transport: DeliveryTransport,
  shape: Shape,
  readers: { gateway: BenchReader; ours: BenchReader },
  accounts: Accounts,
): Promise<Comparison> {
  const { name } = transport;
  const closing: (() => unknown)[] = [];
  const opened = <Thing extends { close(): unknown }>(thing: Thing): Thing => {
    closing.push(() => thing.close());
    return thing;
  };
  try {
    const sink = await transport.openSink?.();
    if (sink !== undefined) opened(sink);
    const floor = async (joins: boolean) => {
      const side = opened(
        await FloorSide.open({
          transport: name,
          form:
            shape.name === 'batched'
              ? { kind: transport.batchForm, maxBytes: MAX_BYTES }
              : { kind: 'event' },
          joins,
          port: sink?.port,
          tlsDir: join(readers.ours.stateDir, 'tls'),
        }),
      );
      const base = `https://127.0.0.1:${side.port}`;
      const served = { port: side.port, base, token: '' };
      const to = sink ?? opened(await connectTo(transport, served));
      return () => side.run(to, shape.floorEvents);
    };
    const sides = { floor: await floor(true), readyFloor: await floor(false) };
    const options = { batching: shape.batching, retention: KEEP_ALL };
    const side = async (reader: BenchReader, what: string) =>
      opened(await OurSide.open(reader, transport, `${name} ${shape.name}${what}`, sink, options));
    const ours = await side(readers.ours, '');
    const gateway = await side(readers.gateway, ', gateway');
    const samples = await inTurns(ROUNDS, {
      ...sides,
      ours: () => ours.run(shape.floorEvents, accounts),
      gateway: () => gateway.run(shape.events, accounts),
    });
    return { transport: name, shape: shape.name, ...samples };
  } finally {
    for (const close of closing.reverse()) await close();
  }
}
