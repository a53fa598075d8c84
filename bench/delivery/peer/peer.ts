/** The gateway and Node-RED do the same with the same reads, for the same broker and subscriber. */
import { inTurns, type Sample } from '../../measure.js';
import type { Broker } from '../broker.js';
import { type Accounts, OurSide } from '../our-side.js';
import { BenchReader } from '../reader.js';
import type { Sink } from '../sinks/sink.js';
import { KEEP_ALL } from '../throughput.js';
import { transportNamed } from '../transports.js';
import { NodeRedSide } from './node-red-side.js';

const ROUNDS = 3;
const READS = 50_000;
/** Node-RED takes seconds for them. */
const PEER_READS = 20_000;

export interface PeerComparison {
  version: string;
  ours: Sample;
  nodeRed: Sample;
}

export async function peer(broker: Broker, accounts: Accounts): Promise<PeerComparison> {
  const nodeRed = await NodeRedSide.start(broker);
  const reader = await BenchReader.start({ reads: READS, spacingNs: 1000, paced: false });
  const sink: Sink & { port: number } = {
    counter: nodeRed.counter,
    port: broker.port,
    close: async () => {},
  };
  const subscriber = await broker.subscribe((payload) => sink.counter.take(payload));
  try {
    const transport = transportNamed('mqtt_qos0');
    const options = { retention: KEEP_ALL };
    const ours = await OurSide.open(reader, transport, 'over Node-RED', sink, options);
    const samples = await inTurns(ROUNDS, {
      nodeRed: () => {
        sink.counter = nodeRed.counter;
        return nodeRed.run(PEER_READS);
      },
      ours: () => ours.run(READS, accounts),
    });
    return { version: nodeRed.version, ...samples };
  } finally {
    await subscriber.endAsync();
    await Promise.all([nodeRed.stop(), reader.stop()]);
  }
}
